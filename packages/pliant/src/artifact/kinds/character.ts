/**
 * A character: skeleton, code of its joints, and the skinned surface that it was learned from, so that its quality can be
 * measured again with nothing else at hand.
 */
import type { CharacterField } from '../../learned/character-field.js'
import { SkinnedField } from '../../learned/skinned.js'
import { WholeBodyField } from '../../learned/whole-body.js'
import type { SkeletonPose } from '../../model/skeleton.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'
import { createBoneNetwork } from '../../net/bones/bone-network.js'
import { createNetwork } from '../../net/create-network.js'
import { signedDistance } from '../answers.js'
import { frameOfManifest } from '../networks/whole.js'
import { measuredErrors } from '../quality.js'
import { type CharacterModel, type CharacterNetwork, checkCharacterModel } from './character-model.js'
import type { ModelKind, PointArtifact } from './model-kind.js'
import { storeCharacter, takeCharacter } from './stored-character.js'
import { storePoses, takePoses } from './stored-poses.js'

/** A trained character, decoded from its file. */
export interface CharacterArtifact extends PointArtifact<CharacterModel, CharacterNetwork> {
  /** Tells it from other artifacts. */
  kind: 'character'
  /** Skeleton, code and the skinned surface that was learned. */
  character: SkinnedCharacter
  /** Poses that were never trained on, to judge by. */
  heldOut: SkeletonPose[]
}

export const kind: ModelKind<CharacterArtifact, CharacterField> = {
  answers: signedDistance,
  networks: { distance: ['bones', 'whole'] },
  check: checkCharacterModel,
  context: ({ code, model }) => ({ codeSize: code.size, joints: model.skeleton.names.length, nodes: 0 }),
  store({ character, heldOut }, tensors) {
    storeCharacter(character, tensors)
    storePoses(tensors, 'heldOut', heldOut, character.skeleton)
  },
  take({ model, code }, tensors) {
    const character = takeCharacter(model, code, tensors)
    return { character, heldOut: takePoses(tensors, 'heldOut', model.heldOut.poses, character.skeleton) }
  },
  async field({ manifest, character, networks }, options) {
    const judged = { shape: character, measured: measuredErrors(manifest.quality) }
    const network = manifest.networks.distance
    if (network.kind === 'whole') {
      const created = await createNetwork(network.shape, networks.distance, options)
      return new WholeBodyField(frameOfManifest(manifest, network), character.code, created, judged)
    }
    const created = await createBoneNetwork(network.shape, networks.distance, options)
    return new SkinnedField(character.skeleton, character.code, created, judged)
  },
}
