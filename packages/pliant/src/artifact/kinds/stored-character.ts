/** A skinned character as tensors of a file: skeleton, code of its joints, surface. */
import { JointCode } from '../../model/joint-code.js'
import { Skeleton } from '../../model/skeleton.js'
import { SkinnedCharacter } from '../../model/skinned-character.js'
import { applyMorphTargets, type SkinnedSurface } from '../../model/skinned-surface.js'
import type { SkinningMethod } from '../../model/skinning.js'
import { narrowest, packShares, unpackShares } from '../compact.js'
import type { Envelope } from '../manifest.js'
import type { TensorData } from '../safetensors.js'
import { rising, type Tensors, take, takeIndices } from '../take.js'
import { boundsOf } from './linear-modes.js'
import { storePose, takePose } from './stored-poses.js'

/** What a manifest says of a skinned character, whatever was learned of it. */
export interface StoredCharacter {
  /** Vertical extent in the rest pose [m]. */
  height: number
  /** Names of the joints, and which of them carries the body. */
  skeleton: { names: string[]; root: number }
  /** Counts of its surface, and how vertices follow their bones. */
  surface: { vertices: number; triangles: number; influences: number; bones: number; skinning: SkinningMethod }
  /** Largest rotation from rest of a joint of the code in the clips [rad]; near pi the code jumps. */
  largestAngle: number
}

export function describeCharacter({ skeleton, surface, code, height, skinning }: SkinnedCharacter): StoredCharacter {
  return {
    height,
    skeleton: { names: [...skeleton.names], root: skeleton.root },
    surface: {
      vertices: surface.bound.length / 3,
      triangles: surface.triangles.length / 3,
      influences: surface.influenceBones.length,
      bones: surface.bones.joints.length,
      skinning,
    },
    largestAngle: code.largestAngle,
  }
}

/** What a manifest says of a character's code. */
export function describeJointCode({ code, skeleton }: SkinnedCharacter): Envelope['code'] {
  return {
    size: code.size,
    names: Array.from(code.joints, (joint, entry) => `${skeleton.names[joint]} ${AXES[code.axes[entry]]}`),
    lower: [...code.bounds.lower],
    upper: [...code.bounds.upper],
    how: `rotation vectors of joints from rest over pi, then slides over the height${code.carriers ? ', each as seen from the joint that carries it' : ''}; see SkinnedCharacter.encodePose`,
  }
}
/** What entries of a joint code turn about, or slide along. */
const AXES = ['x', 'y', 'z', 'slide x', 'slide y', 'slide z']

export function storeCharacter(character: SkinnedCharacter, tensors: Tensors): void {
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
  if (code.carriers) add('code.carrier', [joints], code.carriers)
  if (code.bases) add('code.basis', [joints, 4], code.bases)
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
}

/** @throws Error if a tensor is missing, of another shape, or names what is not there */
export function takeCharacter(model: StoredCharacter, code: Envelope['code'], tensors: Tensors): SkinnedCharacter {
  const skeleton = takeSkeleton(model.skeleton, tensors)
  return new SkinnedCharacter({
    skeleton,
    code: takeCode(code, model.largestAngle, skeleton, tensors),
    surface: takeSurface(model, tensors),
    height: model.height,
    skinning: model.surface.skinning,
  })
}

/** The character as it comes back from a file, so that what is labelled and learned is what users get. */
export function characterAsStored(character: SkinnedCharacter): SkinnedCharacter {
  const tensors: Tensors = new Map()
  storeCharacter(character, tensors)
  const { lower, upper } = character.bounds
  const code = { size: character.codeSize, names: [], lower: [...lower], upper: [...upper], how: '' }
  return takeCharacter(describeCharacter(character), code, tensors)
}

/** Three rotations and three slides (joint-code.ts). */
const CODE_AXES = 6

function takeSkeleton({ names, root }: StoredCharacter['skeleton'], tensors: Tensors): Skeleton {
  const parents = take(tensors, 'skeleton.parents', [names.length], Int32Array)
  return new Skeleton({ names, parents, root, rest: takePose(tensors, 'skeleton.rest', names.length) })
}

function takeCode(code: Envelope['code'], largestAngle: number, skeleton: Skeleton, tensors: Tensors): JointCode {
  const joints = skeleton.jointCount
  return new JointCode(skeleton, {
    joints: Uint16Array.from(takeIndices(tensors, 'code.joint', [code.size], joints)),
    axes: Uint8Array.from(takeIndices(tensors, 'code.axis', [code.size], CODE_AXES)),
    units: take(tensors, 'code.unit', [code.size], Float64Array),
    carriers: tensors.has('code.carrier') ? take(tensors, 'code.carrier', [joints], Int32Array) : undefined,
    bases: tensors.has('code.basis') ? take(tensors, 'code.basis', [joints, 4], Float64Array) : undefined,
    fixed: takePose(tensors, 'code.fixed', joints),
    bounds: boundsOf(code),
    dropped: [],
    largestAngle,
  })
}

function takeSurface({ surface, skeleton }: StoredCharacter, tensors: Tensors): SkinnedSurface {
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
