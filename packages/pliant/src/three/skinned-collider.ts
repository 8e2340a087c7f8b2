/**
 * A character of a three.js scene as something to collide with: follows the live skeleton, whatever moves it (clips,
 * inverse kinematics, a ragdoll), under parents that are moved, turned and scaled, and answers in world space. It is a
 * `ClothCollider` as it stands, so a cloth of 'pliant/sim' takes it directly.
 */
import { type Object3D, Quaternion, Vector3 } from 'three'
import { isWholeBody } from '../artifact/character-network.js'
import type { BoneSegment } from '../field/bone-segments.js'
import type { CharacterField } from '../field/character-field.js'
import type { Floats } from '../math/floats.js'
import { invertAffine, multiplyAffine } from '../math/mat4.js'
import { type SkeletonPose, uniformScale } from '../model/skeleton.js'
import { checkQuery } from '../net/network-checks.js'
import { BoneMotion } from '../sim/cloth/bone-motion.js'
import type { ClothCollider } from '../sim/cloth/collider.js'
import type { Collider } from './collider.js'
import { liveJoints } from './live-joints.js'

/** Relative difference of the root frame's axes up to which its scale counts as even. */
const LARGEST_SPREAD = 1e-3

export class SkinnedCollider implements ClothCollider {
  readonly collider: Collider
  /** The live pose as of the last update; what is not below the root joint stays at rest. */
  readonly pose: SkeletonPose
  /** From the root frame, where the network answers, to world as of the last update; column-major 4x4. */
  readonly rootFrame = new Float64Array(16)
  /** Joint to root frame, 16 per joint. */
  readonly jointMatrices: Float64Array

  readonly #joints: readonly (Object3D | undefined)[]
  readonly #root: Object3D
  readonly #toRootFrame = new Float64Array(16)
  /** World metres per metre of the root frame. */
  #scale = 1
  #hasMoved = true
  #points = new Float64Array(0)
  readonly #motion: BoneMotion
  readonly #motionJoints: readonly number[]
  readonly #motionMatrices: Float64Array

  /**
   * @param object  a SkinnedMesh of the character, or an object that holds the whole character (`gltf.scene`)
   * @throws Error if a joint of the trained skeleton is not there
   */
  constructor(collider: Collider, object: Object3D) {
    const { skeleton } = collider.character
    this.collider = collider
    this.pose = skeleton.createPose()
    this.jointMatrices = new Float64Array(16 * skeleton.jointCount)
    this.#joints = liveJoints(skeleton, object)
    this.#root = this.#joints[skeleton.root]!
    const bones = movingBones(collider)
    this.#motion = new BoneMotion({
      ends: Float64Array.from(bones.flatMap(({ start, end }) => [...start, ...end])),
      radii: Float64Array.from(bones, ({ radius }) => radius),
    })
    this.#motionJoints = bones.map(({ joint }) => joint)
    this.#motionMatrices = new Float64Array(16 * bones.length)
    this.update()
  }

  /**
   * Takes over where the character is now; once a frame, after its animation. Reads position, quaternion and scale of
   * the joints (their matrices where `matrixAutoUpdate` is off), so it need not wait for the renderer.
   * @param frame  time since the last update [s]: what `velocity` needs. Left out or 0, as after a jump to another
   *               place, the surface counts as standing still.
   * @throws RangeError if the root joint or something above it is scaled unevenly, or to nothing
   */
  update(frame = 0): void {
    const { skeleton } = this.collider.character
    readPose(this.#joints, skeleton.root, this.pose)
    skeleton.matrices(this.pose, this.jointMatrices)
    this.#root.updateWorldMatrix(true, false)
    skeleton.rootFrameOf(this.#root.matrixWorld.elements, this.rootFrame)
    const { scale, spread } = uniformScale(this.rootFrame)
    if (!(spread <= LARGEST_SPREAD) || !invertAffine(this.rootFrame, 0, this.#toRootFrame, 0)) {
      throw new RangeError(
        `skinned collider: '${this.#root.name}' or a parent of it is scaled unevenly or to nothing; scale all axes alike.`,
      )
    }
    this.#scale = scale
    this.#hasMoved = true
    this.#motionJoints.forEach((joint, bone) => {
      multiplyAffine(this.rootFrame, 0, this.jointMatrices, 16 * joint, this.#motionMatrices, 16 * bone)
    })
    this.#motion.update(this.#motionMatrices, frame)
  }

  /** Whether the pose lies in the range of the clips that were trained on; outside, answers are guesses. */
  get inDistribution(): boolean {
    return this.#field().inDistribution
  }

  /**
   * @param points     world space, xyz triples
   * @param distances  receives signed distances in world units, negative inside
   * @throws RangeError if an array is too short for `count`
   */
  evaluate(points: Floats, count: number, distances: Floats): void {
    checkQuery(true, points, count, distances)
    this.#field().evaluate(this.#inRootFrame(points, count), count, distances)
    for (let i = 0; i < count; i++) distances[i] *= this.#scale
  }

  /**
   * The same with directions.
   * @param normals  receives outward unit vectors in world space; zero where the field is flat
   */
  query(points: Floats, count: number, distances: Floats, normals: Floats): void {
    checkQuery(true, points, count, distances, normals)
    this.#field().gradient(this.#inRootFrame(points, count), count, distances, normals)
    const m = this.rootFrame
    for (let i = 0; i < count; i++) {
      distances[i] *= this.#scale
      const at = 3 * i
      const x = m[0] * normals[at] + m[4] * normals[at + 1] + m[8] * normals[at + 2]
      const y = m[1] * normals[at] + m[5] * normals[at + 1] + m[9] * normals[at + 2]
      const z = m[2] * normals[at] + m[6] * normals[at + 1] + m[10] * normals[at + 2]
      const length = Math.sqrt(x * x + y * y + z * z)
      const share = length > 0 ? 1 / length : 0
      normals[at] = share * x
      normals[at + 1] = share * y
      normals[at + 2] = share * z
    }
  }

  /** Velocity of the surface near each point over the last frame, in world units per second (sim/cloth/bone-motion.ts). */
  velocity(points: Floats, normals: Floats, count: number, out: Floats): void {
    this.#motion.velocity(points, normals, count, out)
  }

  #field(): CharacterField {
    const field = this.collider.posedFor(this, this.#hasMoved, this.pose, this.jointMatrices)
    this.#hasMoved = false
    return field
  }

  #inRootFrame(points: Floats, count: number): Float64Array {
    if (this.#points.length < 3 * count) this.#points = new Float64Array(3 * count)
    const m = this.#toRootFrame
    const out = this.#points
    for (let at = 0; at < 3 * count; at += 3) {
      const x = points[at]
      const y = points[at + 1]
      const z = points[at + 2]
      out[at] = m[0] * x + m[4] * y + m[8] * z + m[12]
      out[at + 1] = m[1] * x + m[5] * y + m[9] * z + m[13]
      out[at + 2] = m[2] * x + m[6] * y + m[10] * z + m[14]
    }
    return out
  }
}

/** What carries the surface along: the network's bones; one of the whole body has none and goes with the root. */
function movingBones({ manifest: { network }, character }: Collider): readonly BoneSegment[] {
  if (!isWholeBody(network)) return network.bones
  return [{ joint: character.skeleton.root, start: [0, 0, 0], end: [0, 0, 0], radius: character.height }]
}

const local = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() }

function readPose(joints: readonly (Object3D | undefined)[], root: number, out: SkeletonPose): void {
  for (let joint = 0; joint < joints.length; joint++) {
    const object = joints[joint]
    if (object === undefined || joint === root) continue
    if (!object.matrixAutoUpdate) object.matrix.decompose(local.position, local.quaternion, local.scale)
    const { position, quaternion, scale } = object.matrixAutoUpdate ? object : local
    position.toArray(out.translations, 3 * joint)
    quaternion.toArray(out.rotations, 4 * joint)
    scale.toArray(out.scales, 3 * joint)
  }
}
