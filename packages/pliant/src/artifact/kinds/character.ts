/**
 * A character: skeleton, code of its joints, and the skinned surface that it was learned from, so that its quality can be
 * measured again with nothing else at hand.
 */
import type { CharacterField } from '../../learned/character-field.js'
import { SkinnedField } from '../../learned/skinned.js'
import { WholeBodyField } from '../../learned/whole-body.js'
import { JointCode } from '../../model/joint-code.js'
import { Skeleton, type SkeletonPose } from '../../model/skeleton.js'
import { SkinnedCharacter } from '../../model/skinned-character.js'
import { applyMorphTargets, type SkinnedSurface } from '../../model/skinned-surface.js'
import { createBoneNetwork } from '../../net/bones/bone-network.js'
import { createNetwork } from '../../net/create-network.js'
import { signedDistance } from '../answers.js'
import { narrowest, packShares, unpackShares } from '../compact.js'
import { frameOfManifest } from '../networks/whole.js'
import { measuredErrors } from '../quality.js'
import type { TensorData } from '../safetensors.js'
import { rising, type Tensors, take, takeIndices } from '../take.js'
import {
  type CharacterManifest,
  type CharacterModel,
  type CharacterNetwork,
  checkCharacterModel,
} from './character-model.js'
import { boundsOf } from './linear-modes.js'
import type { ModelKind, PointArtifact } from './model-kind.js'
import { storePose, storePoses, takePose, takePoses } from './stored-poses.js'

/** A trained character, decoded from its file. */
export interface CharacterArtifact extends PointArtifact<CharacterModel, CharacterNetwork> {
  /** Tells it from other artifacts. */
  kind: 'character'
  /** Skeleton, code and the skinned surface that was learned. */
  character: SkinnedCharacter
  /** Poses that were never trained on, to judge by. */
  heldOut: SkeletonPose[]
}

export const character: ModelKind<CharacterArtifact, CharacterField> = {
  answers: signedDistance,
  networks: { distance: ['bones', 'whole'] },
  check: checkCharacterModel,
  context: ({ code, model }) => ({ codeSize: code.size, joints: model.skeleton.names.length, nodes: 0 }),
  store: storeCharacter,
  take(manifest, tensors) {
    const { model } = manifest
    const skeleton = takeSkeleton(model.skeleton, tensors)
    const character = new SkinnedCharacter({
      skeleton,
      code: takeCode(manifest, skeleton, tensors),
      surface: takeSurface(model, tensors),
      height: model.height,
      skinning: model.surface.skinning,
    })
    return { character, heldOut: takePoses(tensors, 'heldOut', model.heldOut.poses, skeleton) }
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

function storeCharacter({ character, heldOut }: CharacterArtifact, tensors: Tensors): void {
  const { skeleton, surface, code } = character
  const joints = skeleton.jointCount
  const bones = surface.bones.joints.length
  const add = (name: string, shape: number[], data: TensorData): void => {
    tensors.set(name, { shape, data })
  }
  const addIndices = (name: string, shape: number[], values: ArrayLike<number>, limit: number): void =>
    add(name, shape, narrowest(values, limit))
  add('skeleton.parents', [joints], skeleton.parents)
  storePose(tensors, 'skeleton.rest', skeleton.rest)
  addIndices('code.joint', [code.size], code.joints, joints)
  addIndices('code.axis', [code.size], code.axes, CODE_AXES)
  add('code.unit', [code.size], code.units)
  storePose(tensors, 'code.fixed', code.fixed)
  // Morph targets are no part of the code: the surface is stored with their rest weights applied.
  const bound = new Float64Array(surface.bound.length)
  applyMorphTargets(surface, surface.morphWeights, bound)
  const { influenceStarts, influenceBones, influenceWeights } = surface
  const influences = influenceBones.length
  add('surface.bound', [character.vertexCount, 3], Float32Array.from(bound))
  addIndices('surface.triangles', [surface.triangles.length / 3, 3], surface.triangles, character.vertexCount)
  addIndices('surface.boneJoints', [bones], surface.bones.joints, joints)
  add('surface.inverseBind', [bones, 16], surface.bones.inverseBind)
  addIndices('surface.influenceStarts', [character.vertexCount + 1], influenceStarts, influences + 1)
  addIndices('surface.influenceBones', [influences], influenceBones, bones)
  add('surface.influenceWeights', [influences], packShares(influenceWeights, influenceStarts))
  storePoses(tensors, 'heldOut', heldOut, skeleton)
}

/** Three rotations and three slides (joint-code.ts). */
const CODE_AXES = 6

function takeSkeleton({ names, root }: CharacterModel['skeleton'], tensors: Tensors): Skeleton {
  const parents = take(tensors, 'skeleton.parents', [names.length], Int32Array)
  return new Skeleton({ names, parents, root, rest: takePose(tensors, 'skeleton.rest', names.length) })
}

function takeCode({ code, model }: CharacterManifest, skeleton: Skeleton, tensors: Tensors): JointCode {
  const joints = skeleton.jointCount
  return new JointCode(skeleton, {
    joints: Uint16Array.from(takeIndices(tensors, 'code.joint', [code.size], joints)),
    axes: Uint8Array.from(takeIndices(tensors, 'code.axis', [code.size], CODE_AXES)),
    units: take(tensors, 'code.unit', [code.size], Float64Array),
    fixed: takePose(tensors, 'code.fixed', joints),
    bounds: boundsOf(code),
    dropped: [],
    largestAngle: model.largestAngle,
  })
}

function takeSurface({ surface, skeleton }: CharacterModel, tensors: Tensors): SkinnedSurface {
  const { vertices, triangles, influences, bones } = surface
  const starts = takeIndices(tensors, 'surface.influenceStarts', [vertices + 1], influences + 1)
  return {
    bound: Float64Array.from(take(tensors, 'surface.bound', [vertices, 3], Float32Array)),
    triangles: takeIndices(tensors, 'surface.triangles', [triangles, 3], vertices),
    bones: {
      joints: Uint16Array.from(takeIndices(tensors, 'surface.boneJoints', [bones], skeleton.names.length)),
      inverseBind: take(tensors, 'surface.inverseBind', [bones, 16], Float64Array),
    },
    influenceStarts: rising(starts, influences, 'surface.influenceStarts'),
    influenceBones: Uint16Array.from(takeIndices(tensors, 'surface.influenceBones', [influences], bones)),
    influenceWeights: unpackShares(take(tensors, 'surface.influenceWeights', [influences], Uint16Array)),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}
