/** Trained bodies that tell self-contact: they answer codes, so no shapes or violent poses are asked of them. */
import { load, type SelfContactArtifact } from 'pliant'
import { exportCodeField } from '../export/code-field.js'
import { linearContacts } from '../label/linear-contacts.js'
import { graphOfGaps } from '../learn/self-contact/gap-sight.js'
import type { TrainedKind } from './trained-kind.js'

/** Of how many codes the distance to self-contact is looked up. */
const DISTANCES = 2000

export const SELF_CONTACT: TrainedKind<SelfContactArtifact> = {
  contacts: async (artifact) => ({
    field: await load(artifact),
    source: linearContacts(artifact.model),
    distances: DISTANCES,
  }),
  onnx: ({ manifest, networks, model }) =>
    exportCodeField(graphOfGaps(manifest.networks.distance.shape), networks.distance, model.bounds),
}
