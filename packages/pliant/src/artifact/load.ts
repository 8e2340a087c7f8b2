/** From a file's bytes to a field that answers: the one call most users need. */
import type { TrainedField } from '../learned/trained-field.js'
import type { NetworkOptions } from '../net/create-network.js'
import { type Artifact, decodeArtifact } from './artifact.js'
import { measuredErrors, warnOfFault } from './manifest.js'
import { createObjectField } from './object-network.js'

/**
 * @param source  an artifact's bytes, or one already decoded
 * @param options backend ('auto' takes SIMD where the host has it) and threads
 */
export async function loadField(source: Uint8Array | Artifact, options: NetworkOptions = {}): Promise<TrainedField> {
  const artifact = source instanceof Uint8Array ? decodeArtifact(source) : source
  const { manifest, network, model, body } = artifact
  warnOfFault(manifest)
  const measured = measuredErrors(manifest.quality)
  return createObjectField(manifest, manifest.network, network, { model, body, measured }, options)
}
