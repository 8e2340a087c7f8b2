/** Trained characters that tell self-contact by their joint angles. */
import { load } from 'pliant'
import type { CharacterContactArtifact } from 'pliant/character'
import { exportCodeField } from '../export/code-field.js'
import { posedContacts } from '../label/posed-contacts.js'
import { collisionDistanceGraph } from '../learn/collision-state/collision-state-graph.js'
import { characterFrames } from '../learn/posed-contact/character-frames.js'
import { leastClearanceGraph } from '../learn/posed-contact/clearance-graph.js'
import { codesOfPoses } from '../poses/codes-of-poses.js'
import type { TrainedKind } from './trained-kind.js'

export const CHARACTER_CONTACT: TrainedKind<CharacterContactArtifact> = {
  async contacts(artifact) {
    const { character, heldOut, manifest } = artifact
    const { neighbours } = manifest.model
    return {
      field: await load(artifact),
      source: posedContacts(character, codesOfPoses(character, heldOut), neighbours),
      // One takes hundreds of exact tests, of milliseconds each.
      distances: 0,
    }
  },
  onnx({ manifest, networks, character }) {
    const network = manifest.networks.distance
    const graph =
      network.kind === 'collision-state'
        ? collisionDistanceGraph(network.shape)
        : leastClearanceGraph(characterFrames(character), network.shape, networks.distance)
    return exportCodeField(graph, networks.distance, character.bounds)
  },
}
