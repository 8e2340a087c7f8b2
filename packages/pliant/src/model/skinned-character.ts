/** A skinned character as a reduced model: joint angles -> shape in the root frame (Zesch et al. section 3.2). */
import type { Floats } from '../math/floats.js'
import { chooseJointCode, type JointCodeOptions } from './choose-joint-code.js'
import type { Clip } from './clip.js'
import { fitJointCode } from './fit-joint-code.js'
import type { JointCode } from './joint-code.js'
import type { ReducedModel } from './reduced-model.js'
import type { Rig } from './rig.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'
import { applyMorphTargets, type SkinnedSurface, skinMatrices, weightOfJoints } from './skinned-surface.js'
import { SKINNING, type SkinningMethod } from './skinning.js'

export interface SkinnedCharacterData {
  skeleton: Skeleton
  surface: SkinnedSurface
  code: JointCode
  skinning: SkinningMethod
  /** Vertical extent in the rest pose [m]. */
  height: number
}

export interface CharacterOptions extends JointCodeOptions {
  /** How vertices follow their bones (default linear, as renderers do it). */
  skinning?: SkinningMethod
}

/** @param clips  the motions that decide which degrees of freedom the code has; `rig.clips` if left out */
export function createCharacter(
  rig: Pick<Rig, 'skeleton' | 'surface' | 'clips' | 'height'>,
  clips: readonly Clip[] = rig.clips,
  options: CharacterOptions = {},
): SkinnedCharacter {
  const { skeleton, surface, height } = rig
  const weights = weightOfJoints(surface, skeleton.jointCount)
  const code = chooseJointCode({ skeleton, weights, height }, clips, options)
  return new SkinnedCharacter({ skeleton, surface, code, height, skinning: options.skinning ?? 'linear' })
}

/** A skinned character as a reduced model: from joint angles to its shape in the root frame. */
export class SkinnedCharacter implements ReducedModel {
  /** Its joints. */
  readonly skeleton: Skeleton
  /** Its skinned surface. */
  readonly surface: SkinnedSurface
  /** Which joint angles stand for a pose. */
  readonly code: JointCode
  /** How vertices follow their bones. */
  readonly skinning: SkinningMethod
  /** Vertical extent in the rest pose [m]. */
  readonly height: number
  /** How many numbers a code has. */
  readonly codeSize: number
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** How many vertices the surface has. */
  readonly vertexCount: number
  readonly triangles: Uint32Array
  readonly #pose: SkeletonPose
  readonly #jointMatrices: Float64Array
  readonly #skinMatrices: Float64Array
  /** Bound positions with morph targets at rest. */
  readonly #bound: Float64Array
  readonly #morphed: Float64Array

  /** Made by whoever decodes a file or trains one. @internal */
  constructor(data: SkinnedCharacterData) {
    this.skeleton = data.skeleton
    this.surface = data.surface
    this.code = data.code
    this.skinning = data.skinning
    this.height = data.height
    this.codeSize = data.code.size
    this.bounds = data.code.bounds
    this.vertexCount = data.surface.bound.length / 3
    this.triangles = data.surface.triangles
    this.#pose = data.skeleton.createPose()
    this.#jointMatrices = new Float64Array(16 * data.skeleton.jointCount)
    this.#skinMatrices = new Float64Array(16 * data.surface.bones.joints.length)
    this.#bound = new Float64Array(data.surface.bound.length)
    applyMorphTargets(data.surface, data.surface.morphWeights, this.#bound)
    this.#morphed = data.surface.morphTargets.length > 0 ? this.#bound.slice() : this.#bound
  }

  /** Vertices in the root frame [m]; morph targets at their rest weights, which are no part of the code. */
  positions(code: ArrayLike<number>, out: Floats): void {
    this.code.decodeCarried(code, this.#pose)
    this.#skin(this.code.carried, this.#pose, this.#bound, out)
  }

  /**
   * Vertices in the root frame [m] of any pose, degrees of freedom outside the code included; root motion is taken out.
   * @param morphWeights  default: those at rest
   * @throws RangeError naming a joint that is missing or not finite
   */
  positionsOfPose(pose: SkeletonPose, out: Floats, morphWeights?: ArrayLike<number>): void {
    if (morphWeights !== undefined) applyMorphTargets(this.surface, morphWeights, this.#morphed)
    this.#skin(this.skeleton, pose, morphWeights === undefined ? this.#bound : this.#morphed, out)
  }

  /** @param skeleton  the one that the pose is of: as in the file, or as the code moves it */
  #skin(skeleton: Skeleton, pose: SkeletonPose, bound: Float64Array, out: Floats): void {
    skeleton.requirePose('character', pose)
    skeleton.matrices(pose, this.#jointMatrices)
    skinMatrices(this.surface.bones, this.#jointMatrices, this.#skinMatrices)
    SKINNING[this.skinning](this.surface, this.#skinMatrices, bound, out)
  }

  /** The code of a pose: exact for what the code holds, deaf to the rest. */
  encodePose(pose: SkeletonPose, out: Floats): void {
    this.code.encode(pose, out)
  }

  /** Joint frames to root frame at a code, 16 per joint of the skeleton, column-major. */
  jointMatrices(code: ArrayLike<number>, out: Float64Array): void {
    this.code.decodeCarried(code, this.#pose)
    this.code.carried.matrices(this.#pose, out)
  }

  /**
   * The code whose shape is nearest to given vertices in the root frame, by iteration: about a second for a large
   * character. Where the skeleton is at hand, `encodePose` is exact and takes microseconds.
   */
  encode(positions: Floats, out: Floats): void {
    fitJointCode(this, positions, out)
  }
}
