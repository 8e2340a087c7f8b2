/** Trained bodies that tell self-contact: they answer codes, so no shapes or violent poses are asked of them. */
import type { SelfContactArtifact } from 'pliant'
import { exportCodeField } from '../export/code-field.js'
import type { TrainedKind } from './trained-kind.js'

export const SELF_CONTACT: TrainedKind<SelfContactArtifact> = {
  onnx: ({ manifest, networks, model }) =>
    exportCodeField(manifest.networks.distance.shape, networks.distance, model.bounds),
}
