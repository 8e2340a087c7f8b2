/**
 * A skinned character, and how near each of its poses is to touching itself, by joint angles: by how far pairs of its parts are
 * apart, or by the paper's collision detector. Which parts may touch (neighbours at a joint, clothes on skin) is in the file, so that an exact test at run time
 * sees what the labels saw.
 */
import { CharacterContactField } from '../../learned/character-contact.js'
import { DomainDepths } from '../../learned/collision-state.js'
import { JointSpaces } from '../../model/joint-spaces.js'
import type { SkeletonPose } from '../../model/skeleton.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'
import { CollisionDetector } from '../../net/collision-state/collision-detector.js'
import { PosedGapNetwork } from '../../net/gaps/posed-gap-network.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import { notNegative, object, positive } from '../checks.js'
import { narrowest } from '../compact.js'
import type { Envelope } from '../manifest.js'
import type { CollisionStateNetwork } from '../networks/collision-state.js'
import type { PosedGapsNetwork } from '../networks/posed-gaps.js'
import { type SelfContactQuality, selfDistance } from '../self-contact-quality.js'
import { type Tensors, takeIndices } from '../take.js'
import { checkKnownClips, checkStoredCharacter, type KnownClips } from './character-model.js'
import { requireBox } from './code-box.js'
import type { AnyArtifact, ModelKind } from './model-kind.js'
import { type StoredCharacter, storeCharacter, takeCharacter } from './stored-character.js'
import { storePoses, takePoses } from './stored-poses.js'

/** Of a character that tells self-contact: its skeleton and surface, and what counts as contact. */
export interface CharacterContactModel extends StoredCharacter, KnownClips {
  /** Name of the kind. */
  kind: 'character-contact'
  /** Which triangles are neighbours, as shares of the diagonal at rest (`NeighbourRule` of pliant/exact). */
  neighbours: { along: number; near: number }
  /** Clearance at the boundary, or depth of the paper's network [m], that a unit of the distance is worth, in the mean. */
  metres: number
}

/** A network that tells self-contact of a character: how far pairs of parts are apart, or the paper's. */
export type CharacterContactNetwork = PosedGapsNetwork | CollisionStateNetwork

/** What a file that answers how near poses are to self-contact says of itself. */
export interface CharacterContactManifest
  extends Envelope<CharacterContactModel, { distance: CharacterContactNetwork }> {
  /** Signed distances of codes. */
  kind: 'self-distance'
  /** How good it was measured to be; null if its answers were no numbers. */
  quality: SelfContactQuality | null
}

/** A character with what tells its self-contact, decoded from its file. */
export interface CharacterContactArtifact extends AnyArtifact<CharacterContactManifest> {
  /** Tells it from other artifacts. */
  kind: 'character-contact'
  /** What the file says of itself. */
  manifest: CharacterContactManifest
  /** Tensors of each network that the manifest names. */
  networks: { distance: NetworkTensors }
  /** Skeleton, code and the skinned surface as it was trained: what exact tests look at. */
  character: SkinnedCharacter
  /** Bones of each pair of parts that the network tells apart, two numbers each, by their place in the surface; may be none. */
  pairs: Uint32Array
  /** Poses that were never trained on, to judge by. */
  heldOut: SkeletonPose[]
}

export const kind: ModelKind<CharacterContactArtifact, CharacterContactField> = {
  answers: selfDistance,
  networks: { distance: ['posed-gaps', 'collision-state'] },
  check(model) {
    checkStoredCharacter(model)
    checkKnownClips(model)
    const neighbours = object(model['neighbours'], 'model.neighbours')
    for (const key of ['along', 'near']) notNegative(neighbours[key], `model.neighbours.${key}`)
    positive(model['metres'], 'model.metres')
  },
  context: ({ code, model }) => ({ codeSize: code.size, joints: model.skeleton.names.length, nodes: 0 }),
  store({ character, pairs, heldOut }, tensors) {
    storeCharacter(character, tensors)
    const bones = character.surface.bones.joints.length
    if (pairs.length > 0) tensors.set('pairs', { shape: [pairs.length / 2, 2], data: narrowest(pairs, bones) })
    storePoses(tensors, 'heldOut', heldOut, character.skeleton)
  },
  take({ model, code, networks }, tensors) {
    requireBox(code)
    const character = takeCharacter(model, code, tensors)
    return {
      character,
      pairs: takePairs(networks.distance, model, tensors),
      heldOut: takePoses(tensors, 'heldOut', model.heldOut.poses, character.skeleton),
    }
  },
  async field({ manifest, character, pairs, networks }, options) {
    const network = manifest.networks.distance
    if (network.kind === 'collision-state') {
      const detector = await CollisionDetector.create(network.shape, networks.distance, options)
      return new CharacterContactField(detector, character, { depths: new DomainDepths(detector, character.bounds) })
    }
    const joints = new JointSpaces(character.code)
    const gaps = await PosedGapNetwork.create(network.shape, networks.distance, joints, options)
    const parts = { network: gaps, pairs, metres: manifest.model.metres }
    return new CharacterContactField(gaps, character, { parts })
  },
}

function takePairs(
  network: CharacterContactNetwork,
  { surface }: CharacterContactModel,
  tensors: Tensors,
): Uint32Array {
  if (network.kind === 'collision-state') return new Uint32Array(0)
  return takeIndices(tensors, 'pairs', [network.shape.pairs, 2], surface.bones)
}
