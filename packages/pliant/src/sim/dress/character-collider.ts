/**
 * A character as the body that a cloth meets: its field, which answers in the root frame, asked in the world, and the
 * velocity of its skin from its bones. Cloth lives in the world, so that whatever the root does, it feels without any
 * forces of inertia being made up.
 */
import type { Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { invertAffine, multiplyAffine } from '../../math/mat4.js'
import { requireDuration, requireGradientQuery, requireNumbers } from '../../math/require.js'
import { type Skeleton, type SkeletonPose, uniformScale } from '../../model/skeleton.js'
import { BoneMotion } from '../cloth/bone-motion.js'
import type { ClothCollider } from '../cloth/collider.js'
import type { BodyField } from './body-field.js'

/** A bone as a thick segment in its joint's frame; `manifest.network.bones` are such. */
export interface BodyBone {
  /** By number in the skeleton. */
  readonly joint: number
  /** [m] */
  readonly start: Vec3
  readonly end: Vec3
  readonly radius: number
}

/** Relative difference of the root frame's axes up to which its scale counts as even. */
const EVEN = 1e-3

export class CharacterCollider implements ClothCollider {
  /** May be exchanged between frames, for example for the exact one; undefined for no body at all. */
  field: BodyField | undefined
  /** Joint to root frame at the last update, column-major 4x4 each. */
  readonly jointMatrices: Float64Array
  /** Root frame to world at the last update. */
  readonly rootFrame = new Float64Array(16)
  private readonly skeleton: Skeleton
  private readonly bones: readonly BodyBone[]
  private readonly motion: BoneMotion
  private readonly boneMatrices: Float64Array
  private readonly toRoot = new Float64Array(16)
  private scale = 1
  /** Whether distances in the root frame are those in the world but for one factor. */
  isEven = true
  private local = new Float64Array(0)

  constructor(skeleton: Skeleton, bones: readonly BodyBone[], field?: BodyField) {
    this.skeleton = skeleton
    this.bones = bones
    this.field = field
    this.jointMatrices = new Float64Array(16 * skeleton.jointCount)
    this.boneMatrices = new Float64Array(16 * bones.length)
    this.motion = new BoneMotion({
      ends: Float64Array.from(bones.flatMap(({ start, end }) => [...start, ...end])),
      radii: Float64Array.from(bones, ({ radius }) => radius),
    })
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
    this.skeleton.requirePose('character', pose)
    requireNumbers('character', rootFrame, 'root frame value', 16)
    requireDuration('character', frame)
    if (!invertAffine(rootFrame, 0, this.toRoot, 0)) {
      throw new RangeError('character: the root frame has a scale of zero; place the body with another.')
    }
    this.rootFrame.set(rootFrame)
    const { scale, spread } = uniformScale(rootFrame)
    this.scale = scale
    this.isEven = spread <= EVEN
    this.skeleton.matrices(pose, this.jointMatrices)
    for (let b = 0; b < this.bones.length; b++) {
      multiplyAffine(rootFrame, 0, this.jointMatrices, 16 * this.bones[b].joint, this.boneMatrices, 16 * b)
    }
    this.motion.update(this.boneMatrices, frame)
    this.field?.poseSkeleton(pose, this.jointMatrices)
  }

  /** After a jump that is no motion: the next update starts from where the body then is. */
  forgetMotion(): void {
    this.motion.forget()
  }

  query(points: Floats, count: number, distances: Floats, normals: Floats): void {
    requireGradientQuery(points, count, distances, normals)
    if (!this.field) {
      distances.fill(Infinity, 0, count)
      return
    }
    if (this.local.length < 3 * count) this.local = new Float64Array(3 * count)
    const { local, toRoot: m, rootFrame: r, scale } = this
    for (let i = 0; i < 3 * count; i += 3) {
      const x = points[i]
      const y = points[i + 1]
      const z = points[i + 2]
      local[i] = m[0] * x + m[4] * y + m[8] * z + m[12]
      local[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13]
      local[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14]
    }
    this.field.gradient(local, count, distances, normals)
    if (!this.isEven) {
      this.carryUnevenly(count, distances, normals)
      return
    }
    for (let i = 0; i < count; i++) {
      const x = normals[3 * i]
      const y = normals[3 * i + 1]
      const z = normals[3 * i + 2]
      distances[i] *= scale
      // Scaled by the frame's scale; a collider's normals may have any length.
      normals[3 * i] = r[0] * x + r[4] * y + r[8] * z
      normals[3 * i + 1] = r[1] * x + r[5] * y + r[9] * z
      normals[3 * i + 2] = r[2] * x + r[6] * y + r[10] * z
    }
  }

  /** The planes that touch the level sets carry over exactly: normals by the inverse transpose, distances by its length. */
  private carryUnevenly(count: number, distances: Floats, normals: Floats): void {
    const m = this.toRoot
    for (let i = 0; i < count; i++) {
      const x = normals[3 * i]
      const y = normals[3 * i + 1]
      const z = normals[3 * i + 2]
      const nx = m[0] * x + m[1] * y + m[2] * z
      const ny = m[4] * x + m[5] * y + m[6] * z
      const nz = m[8] * x + m[9] * y + m[10] * z
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
      distances[i] *= length > 0 ? Math.sqrt(x * x + y * y + z * z) / length : this.scale
      normals[3 * i] = nx
      normals[3 * i + 1] = ny
      normals[3 * i + 2] = nz
    }
  }

  velocity(points: Floats, normals: Floats, count: number, out: Floats): void {
    this.motion.velocity(points, normals, count, out)
  }
}
