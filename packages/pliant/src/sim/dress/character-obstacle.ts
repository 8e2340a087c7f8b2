/**
 * A character as what a cloth meets: its field, which answers in the root frame, asked in the world, and the velocity of
 * its skin from its bones. Cloth lives in the world, so that whatever the root does, it feels without any forces of
 * inertia being made up.
 */
import type { MovingField } from '../../field/signed-field.js'
import { TransformedField } from '../../field/transformed.js'
import type { JointState } from '../../learned/character-field.js'
import type { Vec3 } from '../../math/box.js'
import { multiplyAffine } from '../../math/mat4.js'
import { requireDuration } from '../../math/require.js'
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'
import { BoneMotion } from '../cloth/bone-motion.js'
import type { Obstacle, SurfaceMotion } from '../obstacle.js'

/** A bone as a thick segment in its joint's frame; the bones of a trained network are such. */
export interface BodyBone {
  /** By number in the skeleton. */
  readonly joint: number
  /** Where it begins [m], in the joint's frame. */
  readonly start: Vec3
  /** Where it ends [m], in the joint's frame. */
  readonly end: Vec3
  /** How thick it is [m]. */
  readonly radius: number
}

/** A field of a character in the root frame: learned, of its own triangles, or of rigid shapes on its bones. */
export type BodyField = MovingField<JointState>

/** A character as what a cloth meets, in the world. */
export class CharacterObstacle implements Obstacle {
  /** In the world; of the last update. */
  readonly field: TransformedField
  /** Of its skin, from its bones. */
  readonly motion: SurfaceMotion
  /** Joint to root frame at the last update, column-major 4x4 each. */
  readonly jointMatrices: Float64Array
  readonly #skeleton: Skeleton
  readonly #bones: readonly BodyBone[]
  readonly #boneMatrices: Float64Array
  readonly #motion: BoneMotion
  #body: BodyField | undefined

  constructor(skeleton: Skeleton, bones: readonly BodyBone[], body?: BodyField) {
    this.#skeleton = skeleton
    this.#bones = bones
    this.field = new TransformedField(body ?? NOTHING)
    this.#body = body
    this.jointMatrices = new Float64Array(16 * skeleton.jointCount)
    this.#boneMatrices = new Float64Array(16 * bones.length)
    this.#motion = new BoneMotion({
      ends: Float64Array.from(bones.flatMap(({ start, end }) => [...start, ...end])),
      radii: Float64Array.from(bones, ({ radius }) => radius),
    })
    this.motion = this.#motion
  }

  /** May be exchanged between frames, for example for the exact one; undefined for no body at all. */
  get body(): BodyField | undefined {
    return this.#body
  }

  set body(body: BodyField | undefined) {
    this.#body = body
    this.field.field = body ?? NOTHING
  }

  /** Root frame to world at the last update. */
  get rootFrame(): Float64Array {
    return this.field.frame
  }

  /**
   * Once a frame, before the cloth's step.
   * @param pose       at the end of the frame; of the root and above only `rootFrame` counts
   * @param rootFrame  root frame to world (`Skeleton.rootFrame`). Where it scales unevenly, as when a body turns under an
   *   armature that is scaled along one axis, distances are exact on the surface and to first order beside it
   * @param frame      duration [s]
   * @throws RangeError if the root frame is flat or not finite, or naming a joint that is missing or not finite
   */
  update(pose: SkeletonPose, rootFrame: ArrayLike<number>, frame: number): void {
    this.#skeleton.requirePose('character', pose)
    requireDuration('character', frame)
    this.field.update({ frame: rootFrame })
    this.#skeleton.matrices(pose, this.jointMatrices)
    for (let b = 0; b < this.#bones.length; b++) {
      multiplyAffine(rootFrame, 0, this.jointMatrices, 16 * this.#bones[b].joint, this.#boneMatrices, 16 * b)
    }
    this.#motion.update(this.#boneMatrices, frame)
    this.#body?.update({ joints: pose, matrices: this.jointMatrices })
  }

  /** After a jump that is no motion: the next update starts from where the body then is. */
  forgetMotion(): void {
    this.#motion.forget()
  }
}

/** Infinitely far from everywhere. */
const NOTHING: BodyField = {
  update: () => {},
  query: (_points, count, distances, gradients) => {
    distances.fill(Infinity, 0, count)
    gradients?.fill(0, 0, 3 * count)
  },
  bounds: () => [Infinity, Infinity],
}
