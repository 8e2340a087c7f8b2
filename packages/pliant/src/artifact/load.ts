/** From a file's bytes to a field that answers: the one call most users need. */
import { NeuralField } from '../field/neural.js'
import { createNetwork, type NetworkOptions } from '../net/create-network.js'
import { type Artifact, decodeArtifact } from './artifact.js'

/**
 * @param source  an artifact's bytes, or one already decoded
 * @param options backend ('auto' takes SIMD where the host has it) and threads
 */
export async function loadField(source: Uint8Array | Artifact, options: NetworkOptions = {}): Promise<NeuralField> {
  const artifact = source instanceof Uint8Array ? decodeArtifact(source) : source
  return new NeuralField(artifact.manifest, await createNetwork(artifact.manifest.network, artifact.network, options))
}
