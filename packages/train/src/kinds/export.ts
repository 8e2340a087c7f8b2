/** A trained file as plain ONNX, whatever it is of. */
import { decode } from 'pliant'
import { toolOf } from './index.js'

/**
 * A trained object or character as ONNX, for other engines: points and code in, distance and gradient out, all in
 * metres.
 * @throws Error in one line if the bytes are not an artifact, or one of a kind that has no such graph
 */
export async function exportArtifactOnnx(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const artifact = await decode(bytes)
  return toolOf(artifact, 'onnx')(artifact)
}
