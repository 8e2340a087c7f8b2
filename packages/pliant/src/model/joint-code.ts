/**
 * The code of a skinned character: joint angles (Zesch et al. section 3.2), and nothing that does not shape the body.
 *
 * A joint's rotation enters as its rotation vector from rest, log(rest^-1 * rotation), divided by pi: three numbers in
 * [-1, 1] that are zero at rest, even in all directions, and smooth everywhere but at half a turn from rest, where the
 * vector jumps to its opposite. Euler angles lock within reach of a shoulder, quaternions have two names for each
 * rotation and four numbers for three, and swing and twist jump at half a turn of swing just the same. Human joints stay
 * within about 150 degrees of an ordinary rest pose; `largestAngle` says how near a code's clips come.
 *
 * Joints of stylised characters also slide (a shoulder by a tenth of the body's height); where they do, their translation
 * from rest, as a share of the body's height, enters too. Left out, with the reason kept in `dropped`: hands, feet and
 * head, joints that move no vertex, degrees of freedom that the clips never move, and scales of joints. What is left out
 * stands at its mean over the clips; without clips, at rest. Root motion never enters (see skeleton.ts).
 *
 * A joint is measured from its parent or, where a file hangs all joints of a hand from one, from the joint that carries it
 * (carried-joints.ts). Poses are the file's all the same: the code carries them over.
 */

import type { Floats } from '../math/floats.js'
import { conjugateQuaternion, multiplyQuaternions, quaternionOfVector, rotationVector } from '../math/quaternion.js'
import { requireNumbers } from '../math/require.js'
import { CarriedJoints } from './carried-joints.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

export interface JointCodeData {
  /** The joint of each entry, rising. */
  joints: Uint16Array
  /** 0 to 2: that component of its rotation vector; 3 to 5: of its translation. Rising within a joint. */
  axes: Uint8Array
  /** What an entry of 1 stands for: pi [rad], or the body's height in the unit of the joint's parent or carrier. */
  units: Float64Array
  /** The joint that each joint is measured from: its parent, or another below the root; left out: all their parents. */
  carriers?: Int32Array
  /**
   * With carriers, the axes of rotation vectors and slides of joints that these do not leave as they were: the unit
   * quaternion from them to the root frame at rest, 4 per joint; left out: the joints' own.
   */
  bases?: Float64Array
  /** What everything else stands at; entries of the code are measured from the skeleton's rest, not from here. */
  fixed: SkeletonPose
  /** Range of each entry over the clips, widened. */
  bounds: { lower: Float64Array; upper: Float64Array }
  dropped: DroppedFreedom[]
  /** Largest rotation of a joint of the code from rest over the clips [rad]. Near pi the code jumps. */
  largestAngle: number
}

/** A motion that clips have and the code leaves out. */
export interface DroppedFreedom {
  /** Name of the joint. */
  joint: string
  /** Such as `rotation`, `rotation x`, `translation`. */
  what: string
  /** Why, in a few words. */
  reason: string
}

/**
 * The joint angles that stand for a character's pose: rotation vectors from rest over pi, and slides as shares of the
 * height. Joints that do not shape the body are left out.
 */
export class JointCode implements JointCodeData {
  /** How many numbers a code has. */
  readonly size: number
  readonly joints: Uint16Array
  readonly axes: Uint8Array
  readonly units: Float64Array
  /** The joint that each joint is measured from; undefined: its parent. */
  readonly carriers?: Int32Array
  /** With carriers, the axes that joints are measured about; undefined: their own. */
  readonly bases?: Float64Array
  readonly fixed: SkeletonPose
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** What was left out, and why. */
  readonly dropped: DroppedFreedom[]
  readonly largestAngle: number
  /** The joints as the code moves them: hung from their carriers. `skeleton` itself if those are their parents. @internal */
  readonly carried: Skeleton
  /** `fixed` as a pose of these. @internal */
  readonly carriedFixed: SkeletonPose
  readonly #hanging: CarriedJoints | undefined
  readonly #carriedPose: SkeletonPose
  /** Rotation vectors of `fixed` from rest [rad], 3 per joint. */
  readonly #fixedVectors: Float64Array
  readonly #vector = new Float64Array(3)
  readonly #turn = new Float64Array(4)

  /**
   * Made by whoever decodes a file or trains one.
   * @throws RangeError if an entry names a joint that is not there, lengths disagree, or joints cannot hang from carriers
   * @internal
   */
  constructor(
    /** The joints that the code is of. */ readonly skeleton: Skeleton,
    data: JointCodeData,
  ) {
    this.size = data.joints.length
    this.joints = data.joints
    this.axes = data.axes
    this.units = data.units
    this.carriers = data.carriers
    this.bases = data.bases
    this.fixed = data.fixed
    this.bounds = data.bounds
    this.dropped = data.dropped
    this.largestAngle = data.largestAngle
    const { lower, upper } = data.bounds
    if ([data.axes, data.units, lower, upper].some((values) => values.length !== this.size)) {
      throw new RangeError(`joint code: ${this.size} joints but other counts of axes, units or bounds; give one each.`)
    }
    if (data.joints.some((joint, entry) => entry > 0 && joint < data.joints[entry - 1])) {
      throw new RangeError('joint code: its joints are not in rising order; give the entries of one joint together.')
    }
    const beyond = data.joints.findIndex((joint) => joint >= skeleton.jointCount)
    if (beyond >= 0) {
      throw new RangeError(`joint code: entry ${beyond} is of joint ${data.joints[beyond]} of ${skeleton.jointCount}.`)
    }
    if (data.bases && !data.carriers) {
      throw new RangeError('joint code: it has axes of its own without carriers; give both, or leave axes out.')
    }
    this.#hanging = data.carriers && new CarriedJoints(skeleton, data.carriers, data.bases)
    this.carried = this.#hanging?.skeleton ?? skeleton
    this.#carriedPose = this.carried.createPose()
    this.carriedFixed = this.#hanging ? this.carried.createPose() : data.fixed
    this.#hanging?.carry(data.fixed, this.carriedFixed)
    this.#fixedVectors = new Float64Array(3 * skeleton.jointCount)
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      jointVector(this.carried, this.carriedFixed, joint, this.#fixedVectors, 3 * joint)
    }
  }

  /**
   * The code of a pose.
   * @param out  receives `size` entries: rotations in [-1, 1], translations as shares of the height
   */
  encode(pose: SkeletonPose, out: Floats): void {
    this.#hanging?.carry(pose, this.#carriedPose)
    this.encodeCarried(this.#hanging ? this.#carriedPose : pose, out)
  }

  /** The code of a pose of `carried`. @internal */
  encodeCarried(pose: SkeletonPose, out: Floats): void {
    const { translations } = this.carried.rest
    let last = -1
    for (let entry = 0; entry < this.size; entry++) {
      const joint = this.joints[entry]
      const axis = this.axes[entry]
      if (joint !== last) jointVector(this.carried, pose, joint, this.#vector, 0)
      last = joint
      const at = 3 * joint + axis - 3
      out[entry] = (axis < 3 ? this.#vector[axis] : pose.translations[at] - translations[at]) / this.units[entry]
    }
  }

  /**
   * The pose that a code stands for. Left-out degrees of freedom get their fixed values, so that encoding a pose and
   * decoding again gives its nearest relative that the code can tell.
   * @throws RangeError if the code is of another length or not finite
   */
  decode(code: ArrayLike<number>, out: SkeletonPose): void {
    this.decodeCarried(code, this.#hanging ? this.#carriedPose : out)
    if (!this.#hanging) return
    out.rotations.set(this.fixed.rotations)
    out.scales.set(this.fixed.scales)
    this.#hanging.putBack(this.#carriedPose, out)
  }

  /** The same as a pose of `carried`. @internal */
  decodeCarried(code: ArrayLike<number>, out: SkeletonPose): void {
    out.translations.set(this.carriedFixed.translations)
    out.rotations.set(this.carriedFixed.rotations)
    out.scales.set(this.carriedFixed.scales)
    this.#write(code, out, (joint) => {
      for (let axis = 0; axis < 3; axis++) this.#vector[axis] = this.#fixedVectors[3 * joint + axis]
    })
  }

  /**
   * Gives a pose what a code says, and leaves all else of it as it is. Measured from carriers, joints that they carry move
   * along, and what the code says of the pose already stays to the last bit.
   * @throws RangeError if the code is of another length or not finite
   */
  decodeOnto(code: ArrayLike<number>, pose: SkeletonPose): void {
    const carried = this.#hanging ? this.#carriedPose : pose
    const changed = this.#hanging && this.#changedBy(code, pose)
    this.#write(code, carried, (joint) => jointVector(this.carried, carried, joint, this.#vector, 0))
    if (changed) this.#hanging?.putBack(carried, pose, this.#hanging.movedBy(changed))
  }

  /** Carries a pose. @returns 1 for joints of which a code says another than the pose has */
  #changedBy(code: ArrayLike<number>, pose: SkeletonPose): Uint8Array {
    const changed = new Uint8Array(this.skeleton.jointCount)
    const before = new Float64Array(this.size)
    this.encode(pose, before)
    for (let entry = 0; entry < this.size; entry++) {
      if (code[entry] !== before[entry]) changed[this.joints[entry]] = 1
    }
    return changed
  }

  /** Joints whose rotation in their parents, and whose translation, another code may change. @internal */
  movedJoints(): { turned: number[]; slid: number[] } {
    const { joints, axes } = this
    const jointsWith = (is: (axis: number) => boolean) => [...new Set(joints.filter((_, entry) => is(axes[entry])))]
    if (!this.#hanging) return { turned: jointsWith((axis) => axis < 3), slid: jointsWith((axis) => axis >= 3) }
    const changed = new Uint8Array(this.skeleton.jointCount)
    for (const joint of joints) changed[joint] = 1
    const moved = this.#hanging.movedBy(changed)
    const all = [...moved.keys()].filter((joint) => moved[joint] === 1)
    return { turned: all, slid: all }
  }

  /** @param begin  writes the rotation vector that entries of a joint replace parts of */
  #write(code: ArrayLike<number>, out: SkeletonPose, begin: (joint: number) => void): void {
    requireNumbers('joint code', code, 'code value', this.size)
    const { rotations, translations } = this.carried.rest
    for (let entry = 0; entry < this.size; ) {
      const joint = this.joints[entry]
      begin(joint)
      for (; entry < this.size && this.joints[entry] === joint; entry++) {
        const axis = this.axes[entry]
        const value = this.units[entry] * code[entry]
        if (axis < 3) this.#vector[axis] = value
        else out.translations[3 * joint + axis - 3] = translations[3 * joint + axis - 3] + value
      }
      quaternionOfVector(this.#vector, 0, this.#turn, 0)
      multiplyQuaternions(rotations, 4 * joint, this.#turn, 0, out.rotations, 4 * joint)
    }
  }

  /** For people: which joints are in the code, by which components, what was left out and why. */
  describe(): { joints: { name: string; rotation: string; translation: string }[]; dropped: DroppedFreedom[] } {
    const lettersOf = (joint: number, first: number) =>
      [...'xyz'].filter((_, k) => this.joints.some((j, i) => j === joint && this.axes[i] === first + k)).join('')
    const joints = [...new Set(this.joints)].map((joint) => ({
      name: this.skeleton.names[joint],
      rotation: lettersOf(joint, 0),
      translation: lettersOf(joint, 3),
    }))
    return { joints, dropped: this.dropped }
  }
}

const turn = new Float64Array(4)

/** Rotation vector of a joint from rest [rad], no longer than pi. */
export function jointVector(skeleton: Skeleton, pose: SkeletonPose, joint: number, out: Floats, at: number): void {
  conjugateQuaternion(skeleton.rest.rotations, 4 * joint, turn, 0)
  multiplyQuaternions(turn, 0, pose.rotations, 4 * joint, turn, 0)
  rotationVector(turn, 0, out, at)
}
