/** A recorded motion as plain data, and where its joints are in one frame. */
import { multiplyQuaternions, rotateVector } from '../math/quaternion.js'

/** The parts of `BvhMotion` (files/bvh-motion.ts) that are needed. */
export interface MotionSource {
  /** Parents before children. */
  readonly joints: readonly { readonly name: string; readonly parent: number; readonly offset: readonly number[] }[]
  readonly frameCount: number
  /** [s] */
  readonly frameTime: number
  /** To the parent's space, 4 per joint, frame after frame. */
  readonly rotations: Float32Array
  /** To the parent's space, in any unit, 3 per joint, frame after frame. */
  readonly translations: Float32Array
}

/** World rotations and places of the motion's joints in one frame; at first with all angles zero. */
export class PosedMotion {
  /** 4 per joint. */
  readonly rotations: Float64Array
  /** 3 per joint, in the motion's unit. */
  readonly places: Float64Array

  /** @param axes  a rotation from the file's axes to those that are wanted */
  constructor(
    readonly motion: MotionSource,
    readonly axes: ArrayLike<number> = [0, 0, 0, 1],
  ) {
    this.rotations = new Float64Array(4 * motion.joints.length)
    this.places = new Float64Array(3 * motion.joints.length)
    motion.joints.forEach(({ parent, offset }, joint) => {
      this.rotations[4 * joint + 3] = 1
      for (let axis = 0; axis < 3; axis++) {
        this.places[3 * joint + axis] = offset[axis] + (parent < 0 ? 0 : this.places[3 * parent + axis])
      }
    })
    this.turn(axes)
  }

  pose(frame: number): void {
    const { joints, rotations, translations } = this.motion
    for (let joint = 0; joint < joints.length; joint++) {
      const { parent } = joints[joint]
      const turn = 4 * (frame * joints.length + joint)
      const place = 3 * (frame * joints.length + joint)
      if (parent < 0) {
        multiplyQuaternions(this.axes, 0, rotations, turn, this.rotations, 4 * joint)
        rotateVector(this.axes, 0, translations, place, this.places, 3 * joint)
      } else {
        multiplyQuaternions(this.rotations, 4 * parent, rotations, turn, this.rotations, 4 * joint)
        rotateVector(this.rotations, 4 * parent, translations, place, this.places, 3 * joint)
        for (let axis = 0; axis < 3; axis++) this.places[3 * joint + axis] += this.places[3 * parent + axis]
      }
    }
  }

  /** Turns the whole body about the origin. */
  turn(by: ArrayLike<number>): void {
    for (let joint = 0; joint < this.motion.joints.length; joint++) {
      multiplyQuaternions(by, 0, this.rotations, 4 * joint, this.rotations, 4 * joint)
      rotateVector(by, 0, this.places, 3 * joint, this.places, 3 * joint)
    }
  }
}
