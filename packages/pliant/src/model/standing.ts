/**
 * How a recorded body stands: which way is up and left in its file and in a frame of it, whether its first frame is a
 * reference pose that was put before the motion, and how to turn it so that it faces as the skeleton does at rest.
 *
 * Retargeting compares the skeleton at rest with one pose of the recording that stands alike. Taking a frame in the
 * middle of a movement for that turns arms and back by whatever the body did just then, so a frame is only believed if
 * the data says so: upright, both sides alike, and with a jump from it to the next frame that no movement makes.
 */
import { multiplyQuaternions, rotateVector } from '../math/quaternion.js'
import { type MotionSource, PosedMotion } from './posed-motion.js'
import type { Skeleton } from './skeleton.js'

type Vector = [number, number, number]

/** Joints by what they are of a body; -1 where there is none. */
export type Landmarks = (role: string) => number

/** The pose of the recording that stands as the skeleton does at rest, but for its limbs. */
export interface ReferencePose {
  /** Its frame; undefined: the pose in which all angles are zero. */
  frame: number | undefined
  /** The first frame that is part of the motion. */
  firstFrame: number
  /** Why, for people. */
  why: string
}

/** Rotation from one frame to the next that counts as a jump [rad], and in largest steps of the frames after it. */
const JUMP = (8 * Math.PI) / 180
const JUMP_RATIO = 3
const FRAMES_COMPARED = 30
/** Cosine of how far from upright a standing body may lean: 25 degrees. */
const UPRIGHT = 0.9
/** How far a joint may lie from the mirror image of the other side's, in lengths from the hips to the shoulders. */
const UNEVEN = 0.25

/** Whether the first frame was put before the motion to compare by, as in CMU's files. */
export function findReference(motion: MotionSource, where: Landmarks, axes: ArrayLike<number>): ReferencePose {
  const none = (why: string): ReferencePose => ({ frame: undefined, firstFrame: 0, why })
  if (!jumpsAtStart(motion)) return none('the motion goes on from its first frame without a jump')
  const posed = new PosedMotion(motion, axes)
  posed.pose(0)
  const up = upOf(posed.places, where)
  if (!up) return none('the first frame jumps, but which way it stands cannot be told')
  if (!(up[1] > UPRIGHT)) return none('the first frame jumps, but does not stand upright')
  if (!isEven(posed.places, where)) return none('the first frame jumps, but its two sides differ')
  return { frame: 0, firstFrame: 1, why: 'the first frame stands upright, both sides alike, and jumps to the next' }
}

function jumpsAtStart({ joints, rotations, frameCount }: MotionSource): boolean {
  if (frameCount < 3) return false
  const count = 4 * joints.length
  const step = (frame: number): number => {
    let largest = 0
    for (let at = frame * count; at < (frame + 1) * count; at += 4) {
      let cosine = 0
      for (let k = at; k < at + 4; k++) cosine += rotations[k] * rotations[k + count]
      largest = Math.max(largest, 2 * Math.acos(Math.min(1, Math.abs(cosine))))
    }
    return largest
  }
  let usual = 0
  for (let frame = 1; frame < Math.min(frameCount - 1, 1 + FRAMES_COMPARED); frame++) {
    usual = Math.max(usual, step(frame))
  }
  const first = step(0)
  return first > JUMP && first > JUMP_RATIO * usual
}

const PAIRS = ['upperArm', 'lowerArm', 'hand', 'upperLeg', 'lowerLeg', 'foot']

/** Whether the left is where the right would be in a mirror, seen from the hips. */
function isEven(places: Float64Array, where: Landmarks): boolean {
  const [up, left, origin] = [upOf(places, where), leftOf(places, where), middleOf(places, where, 'upperLeg')]
  if (!up || !left || !origin) return false
  const tall = length(minus(middleOf(places, where, 'upperArm')!, origin))
  return PAIRS.every((bone) => {
    const [a, b] = [where(`left ${bone}`), where(`right ${bone}`)]
    if (a < 0 || b < 0) return true
    const [l, r] = [minus(placeAt(places, a), origin), minus(placeAt(places, b), origin)]
    const mirrored = r.map((value, k) => value - 2 * dot(r, left) * left[k]) as Vector
    return length(minus(l, mirrored)) < UNEVEN * tall
  })
}

/**
 * A rotation from the file's axes to +Y up: for files with Z (or X) up, whose body stands along it both when all angles
 * are zero and in the mean over its frames. A body that lies or crawls in a file with +Y up is left as it is.
 */
export function uprightAxes(motion: MotionSource, where: Landmarks): Float64Array {
  const still = Float64Array.of(0, 0, 0, 1)
  const posed = new PosedMotion(motion)
  const zero = upOf(posed.places, where)
  const axis = zero && mainAxis(zero)
  if (!axis || axis[1] === 1) return still
  const mean: Vector = [0, 0, 0]
  const stride = Math.max(1, Math.floor(motion.frameCount / 50))
  for (let frame = 0; frame < motion.frameCount; frame += stride) {
    posed.pose(frame)
    const up = upOf(posed.places, where)
    if (up) for (let k = 0; k < 3; k++) mean[k] += up[k]
  }
  if (length(mean) === 0 || !(dot(unit(mean), axis) > Math.SQRT1_2)) return still
  return turnBetween(axis, [0, 1, 0])
}

/**
 * The rotation that makes a standing body stand and face as the skeleton does at rest; none if the two do already, or
 * if either shows no two sides.
 * @throws Error if the motion's left is the skeleton's right
 */
export function facing(skeleton: Skeleton, own: Landmarks, start: PosedMotion, theirs: Landmarks): Float64Array {
  const still = Float64Array.of(0, 0, 0, 1)
  const places = new Float64Array(3 * skeleton.jointCount)
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    for (let axis = 0; axis < 3; axis++) places[3 * joint + axis] = skeleton.restMatrices[16 * joint + 12 + axis]
  }
  const [ownUp, ownLeft] = [upOf(places, own), leftOf(places, own)]
  const [up, left] = [upOf(start.places, theirs), leftOf(start.places, theirs)]
  if (!ownUp || !ownLeft || !up || !left) return still
  const [hand, other] = [handedness(places, own), handedness(start.places, theirs)]
  if (hand * other < 0) {
    throw new Error("retarget: the motion's left is the skeleton's right, by where their toes point; give aliases.")
  }
  const tilt = dot(up, ownUp) > Math.SQRT1_2 ? still : turnBetween(mainAxis(up), mainAxis(ownUp))
  const turned = Float64Array.from(left)
  rotateVector(tilt, 0, turned, 0, turned, 0)
  // About the vertical, exactly: a body may stand any way round.
  const angle = Math.atan2(turned[2], turned[0]) - Math.atan2(ownLeft[2], ownLeft[0])
  const yaw = Math.atan2(Math.sin(angle), Math.cos(angle))
  // Below 5 degrees it is how the two were drawn, not how they stand.
  if (Math.abs(yaw) < (5 * Math.PI) / 180) return tilt
  const out = new Float64Array(4)
  multiplyQuaternions(Float64Array.of(0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)), 0, tilt, 0, out, 0)
  return out
}

/** Above 0 if left, up and toes lie as in a person, below in a mirrored one; 0 if there are no toes to tell. */
function handedness(places: Float64Array, where: Landmarks): number {
  const [up, left] = [upOf(places, where), leftOf(places, where)]
  const [feet, toes] = [middleOf(places, where, 'foot'), middleOf(places, where, 'toe')]
  if (!up || !left || !feet || !toes) return 0
  const forward = unit(minus(toes, feet))
  const volume = dot(cross(left, up), forward)
  return Math.abs(volume) > 0.3 ? volume : 0
}

/** From the hips to the shoulders, of length one. */
function upOf(places: Float64Array, where: Landmarks): Vector | undefined {
  const [arms, legs] = [middleOf(places, where, 'upperArm'), middleOf(places, where, 'upperLeg')]
  if (!arms || !legs) return undefined
  const up = minus(arms, legs)
  return length(up) > 0 ? unit(up) : undefined
}

/** From right to left across hips and shoulders, of length one. */
function leftOf(places: Float64Array, where: Landmarks): Vector | undefined {
  const sum: Vector = [0, 0, 0]
  for (const bone of ['upperArm', 'upperLeg']) {
    const [a, b] = [where(`left ${bone}`), where(`right ${bone}`)]
    if (a < 0 || b < 0) return undefined
    const across = unit(minus(placeAt(places, a), placeAt(places, b)))
    for (let k = 0; k < 3; k++) sum[k] += across[k]
  }
  return length(sum) > 0.5 ? unit(sum) : undefined
}

function middleOf(places: Float64Array, where: Landmarks, bone: string): Vector | undefined {
  const [a, b] = [where(`left ${bone}`), where(`right ${bone}`)]
  if (a < 0 || b < 0) return undefined
  const [l, r] = [placeAt(places, a), placeAt(places, b)]
  return l.map((value, k) => (value + r[k]) / 2) as Vector
}

function placeAt(places: Float64Array, joint: number): Vector {
  return [places[3 * joint], places[3 * joint + 1], places[3 * joint + 2]]
}

/** The nearest of the six directions along the axes. */
function mainAxis(v: Vector): Vector {
  const largest = [0, 1, 2].reduce((best, k) => (Math.abs(v[k]) > Math.abs(v[best]) ? k : best), 0)
  return [0, 1, 2].map((k) => (k === largest ? Math.sign(v[k]) : 0)) as Vector
}

/** The smallest rotation between directions along axes; half a turn about x, or about z for x itself. */
function turnBetween(a: Vector, b: Vector): Float64Array {
  const axis = cross(a, b)
  if (dot(a, b) < 0) return a[0] === 0 ? Float64Array.of(1, 0, 0, 0) : Float64Array.of(0, 0, 1, 0)
  if (dot(a, b) > 0) return Float64Array.of(0, 0, 0, 1)
  return Float64Array.of(...axis.map((value) => value * Math.SQRT1_2), Math.SQRT1_2)
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function length(v: Vector): number {
  return Math.hypot(...v)
}

function unit(v: Vector): Vector {
  const size = length(v) || 1
  return [v[0] / size, v[1] / size, v[2] / size]
}
