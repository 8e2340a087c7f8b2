/** A trained artifact ready to be asked, on the backend that was asked for. */
import { type Artifact, loadField, type NeuralField } from 'pliant'

export type Backend = 'simd' | 'ort' | 'scalar'

/** @throws Error in one line if the host cannot run the backend */
export async function openField(
  artifact: Artifact,
  options: { backend?: Backend; threads?: number },
): Promise<NeuralField> {
  const { backend, threads } = options
  return loadField(artifact, { backend: backend === 'ort' ? 'auto' : backend, threads })
}
