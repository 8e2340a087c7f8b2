/** From a file's bytes to a field that answers: the one call most users need. */
import type { ElasticField, TrainedField } from '../learned/trained-field.js'
import type { NetworkOptions } from '../net/create-network.js'
import { type Artifact, decodeArtifact } from './artifact.js'
import { measuredErrors, warnOfFault } from './manifest.js'
import { createObjectField } from './object-network.js'

/**
 * Makes a field that answers from a trained object's file.
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

/**
 * Makes a field of an elastic body from its file: one that follows its nodes.
 * @throws Error in one line if the file holds another kind of object
 */
export async function loadElasticField(
  source: Uint8Array | Artifact,
  options: NetworkOptions = {},
): Promise<ElasticField> {
  const artifact = source instanceof Uint8Array ? decodeArtifact(source) : source
  const { name, model } = artifact.manifest
  if (model.kind !== 'elastic-body') {
    throw new Error(`artifact: '${name}' is of ${model.kind}, no elastic body; train one, as \`pliant train bunny\`.`)
  }
  return (await loadField(artifact, options)) as ElasticField
}
