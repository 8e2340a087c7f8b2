/** Trained spaces of shapes that tell self-contact by their code. */
import { load, type ShapeContactArtifact } from 'pliant'
import { pieceShape } from 'pliant/unstable'
import { exportCodeField } from '../export/code-field.js'
import { shapeContacts } from '../label/shape-contacts.js'
import { collisionDistanceGraph } from '../learn/collision-state/collision-state-graph.js'
import { leastClearanceGraph } from '../learn/posed-contact/clearance-graph.js'
import { pieceFrameGraph } from '../learn/posed-contact/piece-frame-graph.js'
import { patchesOfTriangles } from '../surface/surface-patches.js'
import type { TrainedKind } from './trained-kind.js'

export const SHAPE_CONTACT: TrainedKind<ShapeContactArtifact> = {
  async contacts(artifact) {
    const { space, patches, around, manifest } = artifact
    const { model } = manifest
    const surface = patchesOfTriangles(space.reference, patches, model.patches)
    return {
      field: await load(artifact),
      source: shapeContacts(space, surface, model.neighbours, around),
      // One takes hundreds of exact tests, of milliseconds each.
      distances: 0,
    }
  },
  onnx({ manifest, networks, space }) {
    const network = manifest.networks.distance
    if (network.kind === 'collision-state') {
      return exportCodeField(collisionDistanceGraph(network.shape), networks.distance, space.bounds)
    }
    const frames = { frameGraph: () => pieceFrameGraph(pieceShape(network), networks.distance) }
    return exportCodeField(
      leastClearanceGraph(frames, network.shape, networks.distance),
      networks.distance,
      space.bounds,
    )
  },
}
