/**
 * A character of a three.js scene as something to collide with: follows the live skeleton, whatever moves it (clips,
 * inverse kinematics, a ragdoll), under parents that are moved, turned and scaled, and answers in world space. It is an
 * `Obstacle` as it stands, so a cloth or an elastic body of 'pliant/sim' takes it directly.
 */
import { type Object3D, Quaternion, Vector3 } from 'three'
import type { SignedField } from '../field/signed-field.js'
import type { Floats } from '../math/floats.js'
import { invertAffine } from '../math/mat4.js'
import type { SkeletonPose } from '../model/skeleton.js'
import { CharacterObstacle } from '../sim/dress/character-obstacle.js'
import type { Obstacle, SurfaceMotion } from '../sim/obstacle.js'
import type { Collider, SharedField } from './collider.js'
import { liveJoints } from './live-joints.js'

/**
 * A character of a three.js scene as something to collide with: follows the live skeleton, whatever moves it (clips,
 * inverse kinematics, a ragdoll), under parents that are moved, turned and scaled, and answers in world space. It is
 * an `Obstacle` as it stands, so a cloth or an elastic body of 'pliant/sim' takes it directly.
 */
export class SkinnedCollider implements Obstacle {
  /** The trained character that answers. */
  readonly collider: Collider
  /** The live pose as of the last update; what is not below the root joint stays at rest. */
  readonly pose: SkeletonPose
  readonly #joints: readonly (Object3D | undefined)[]
  readonly #root: Object3D
  /** What the joints say now, before it is known to be a pose. */
  readonly #live: SkeletonPose
  readonly #frame = new Float64Array(16)
  readonly #fromWorld = new Float64Array(16)
  readonly #field: SharedField
  readonly #body: CharacterObstacle

  /**
   * @param object  a SkinnedMesh of the character, or an object that holds the whole character (`gltf.scene`)
   * @throws Error if a joint of the trained skeleton is not there
   */
  constructor(collider: Collider, object: Object3D) {
    const { skeleton } = collider.character
    this.collider = collider
    this.pose = skeleton.createPose()
    this.#live = skeleton.createPose()
    this.#joints = liveJoints('skinned collider', skeleton, object)
    this.#root = this.#joints[skeleton.root]!
    this.#field = collider.createField()
    this.#body = new CharacterObstacle(skeleton, collider.bones, this.#field)
    this.update()
  }

  /** From the root frame, where the network answers, to world as of the last update; column-major 4x4. */
  get rootFrame(): Float64Array {
    return this.#body.rootFrame
  }

  /**
   * Takes over where the character is now; once a frame, after its animation. Reads position, quaternion and scale of
   * the joints (their matrices where `matrixAutoUpdate` is off), so it need not wait for the renderer.
   * @param frame  time since the last update [s]: what `velocity` needs. Left out or 0, as after a jump to another
   *               place, the surface counts as standing still.
   * @throws RangeError if the root joint or something above it is scaled to nothing, or naming a joint whose transform is
   *   not finite; the collider then stays where it was
   */
  update(frame = 0): void {
    const { skeleton } = this.collider.character
    readPose(this.#joints, skeleton.root, this.#live)
    skeleton.requirePose('skinned collider', this.#live)
    this.#root.updateWorldMatrix(true, false)
    skeleton.rootFrameOf(this.#root.matrixWorld.elements, this.#frame)
    if (!invertAffine(this.#frame, 0, this.#fromWorld, 0)) {
      throw new RangeError(
        `skinned collider: '${this.#root.name}' or a parent of it is scaled to nothing; give it another scale.`,
      )
    }
    this.pose.translations.set(this.#live.translations)
    this.pose.rotations.set(this.#live.rotations)
    this.pose.scales.set(this.#live.scales)
    this.#body.update(this.pose, this.#frame, frame)
  }

  /** Mean error of distances near the surface to be expected at this pose, in world units (field/own-error.ts). */
  get expectedError(): number {
    return this.#body.field.scale * this.#field.expectedError
  }

  /** Whether that is ordinary: no more than 2.4 times the mean error that the file was measured to have. */
  get trusted(): boolean {
    return this.#field.trusted
  }

  /** In world space, as of the last update. */
  get field(): SignedField {
    return this.#body.field
  }

  /** Velocity of the skin over the last frame, in world units per second. */
  get motion(): SurfaceMotion {
    return this.#body.motion
  }

  /**
   * Signed distances and normals of points, as of the last update.
   * @param points     world space, xyz triples
   * @param distances  receives signed distances in world units, negative inside
   * @param normals    receives outward unit vectors in world space, if given; zero where the field is flat
   * @throws RangeError if an array is too short for `count`
   */
  query(points: Floats, count: number, distances: Floats, normals?: Floats): void {
    this.field.query(points, count, distances, normals)
    if (!normals) return
    for (let at = 0; at < 3 * count; at += 3) {
      const length = Math.sqrt(normals[at] ** 2 + normals[at + 1] ** 2 + normals[at + 2] ** 2)
      if (length > 0) for (let axis = at; axis < at + 3; axis++) normals[axis] /= length
    }
  }
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
