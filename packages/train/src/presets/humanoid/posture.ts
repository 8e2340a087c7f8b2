/**
 * How the humanoid stands, in words an animator would use, and the skeleton's pose that this means. Angles in degrees,
 * lengths in metres; what is said of a side is said as for the left and mirrored for the right.
 */
import type { Vec3 } from 'pliant'
import type { SkeletonPose } from 'pliant/character'
import { JOINTS, jointNumber, jointPlace } from './joints.js'
import { reachWithLeg } from './leg.js'
import { aboutX, aboutY, aboutZ, inOrder, mirroredTurn, plus, type Turn, turned, undone } from './turns.js'

/** Forward, to the left, leaning to the left. */
export interface Bend {
  bend: number
  turn: number
  lean: number
}

/** The arm relative to the chest. All zero: it hangs straight down, the palm towards the thigh. */
export interface Arm {
  /** Up sideways. */
  lift: number
  /** Then forward about the body's side axis. */
  swing: number
  /** Then forward about the upright axis. */
  across: number
  /** About the arm itself first, inward. */
  twist: number
  elbow: number
  /** Of the hand, towards the palm. */
  wrist: number
}

/** The foot in the world. All zero: flat on the ground where it is at rest. */
export interface Foot {
  /** From its place at rest: outward, forward, up. */
  out: number
  ahead: number
  up: number
  /** Toes outward. */
  turn: number
  /** Heel up, about the joint of the toes; negative: toes up, about the heel. */
  pitch: number
  /** By how much the knee points further out than the toes. */
  splay: number
}

export interface Posture {
  /** From their place at rest: left, up, forward. */
  hips: Vec3
  pelvis: Bend
  spine: Bend
  chest: Bend
  neck: Bend
  head: Bend
  left: { arm: Arm; foot: Foot }
  right: { arm: Arm; foot: Foot }
}

export const STRAIGHT: Bend = { bend: 0, turn: 0, lean: 0 }
export const HANGING: Arm = { lift: 9, swing: 2, across: 0, twist: 8, elbow: 14, wrist: 6 }
export const FLAT: Foot = { out: 0, ahead: 0, up: 0, turn: 7, pitch: 0, splay: 0 }

/** Standing at ease. */
export const STANDING: Posture = {
  hips: [0, -0.003, 0],
  pelvis: STRAIGHT,
  spine: STRAIGHT,
  chest: STRAIGHT,
  neck: STRAIGHT,
  head: STRAIGHT,
  left: { arm: HANGING, foot: FLAT },
  right: { arm: HANGING, foot: FLAT },
}

/** What the foot turns about, from the ground below the ankle [m]: middle of the heel, joint of the toes. */
const HEEL: Vec3 = [0, 0.034, -0.018]
const BALL: Vec3 = [0, 0.022, 0.13]
/** Height of a lifted foot at which its toes no longer feel the ground [m]. */
const TOES_FREE = 0.12
/** Knees point a little up as well, so that a raised leg knows where its front is. */
const KNEES_UP = 0.35

/** Poses the skeleton; what the posture does not speak of is at rest. */
export function takePosture(posture: Posture, pose: SkeletonPose): void {
  const set = (name: string, turn: Turn): void => pose.rotations.set(turn, 4 * jointNumber(name))
  const hips = plus(jointPlace('Hips'), posture.hips)
  const pelvis = turnOf(posture.pelvis)
  pose.translations.set(hips, 3 * jointNumber('Hips'))
  set('Hips', pelvis)
  set('Spine', turnOf(posture.spine))
  set('Chest', turnOf(posture.chest))
  set('Neck', turnOf(posture.neck))
  set('Head', turnOf(posture.head))
  for (const side of ['Left', 'Right'] as const) {
    const { arm, foot } = side === 'Left' ? posture.left : posture.right
    const sided = side === 'Left' ? (turn: Turn) => turn : mirroredTurn
    const { shoulder, upper, lower, hand } = armTurns(arm)
    set(`${side}Shoulder`, sided(shoulder))
    set(`${side}UpperArm`, sided(upper))
    set(`${side}LowerArm`, sided(lower))
    set(`${side}Hand`, sided(hand))
    const leg = legTurns(side, foot, hips, pelvis)
    set(`${side}UpperLeg`, inOrder(undone(pelvis), leg.thigh))
    set(`${side}LowerLeg`, inOrder(undone(leg.thigh), leg.shin))
    set(`${side}Foot`, inOrder(undone(leg.shin), leg.foot))
    set(`${side}Toes`, leg.toes)
  }
}

function turnOf({ bend, turn, lean }: Bend): Turn {
  return inOrder(aboutY(turn), aboutX(bend), aboutZ(-lean))
}

/** The shoulder blade goes along with a raised or reaching arm and takes some of its way. */
function armTurns({
  lift,
  swing,
  across,
  twist,
  elbow,
  wrist,
}: Arm): Record<'shoulder' | 'upper' | 'lower' | 'hand', Turn> {
  const whole = inOrder(aboutY(-across), aboutX(-swing), aboutZ(lift - 90), aboutX(twist))
  const [, up, forward] = turned(whole, [1, 0, 0])
  const raised = 0.5 + Math.asin(Math.min(Math.max(up, -1), 1)) / Math.PI
  const shoulder = inOrder(aboutY(-12 * forward), aboutZ(40 * raised * raised))
  return {
    shoulder,
    upper: inOrder(undone(shoulder), whole),
    lower: aboutY(-elbow),
    hand: aboutZ(-wrist),
  }
}

/** Turns in the world, of the toes relative to the foot. */
function legTurns(
  side: 'Left' | 'Right',
  { out, ahead, up, turn, pitch, splay }: Foot,
  hips: Vec3,
  pelvis: Turn,
): Record<'thigh' | 'shin' | 'foot' | 'toes', Turn> {
  const sign = side === 'Left' ? 1 : -1
  const rest = {
    hip: jointPlace(`${side}UpperLeg`),
    knee: jointPlace(`${side}LowerLeg`),
    ankle: jointPlace(`${side}Foot`),
  }
  const facing = aboutY(sign * turn)
  const foot = inOrder(facing, aboutX(pitch))
  const onGround: Vec3 = [rest.ankle[0] + sign * out, up, rest.ankle[2] + ahead]
  const pivot = pitch > 0 ? BALL : HEEL
  const fromPivot = plus([0, rest.ankle[1], 0], pivot, -1)
  const ankle = plus(plus(onGround, turned(facing, pivot)), turned(foot, fromPivot))
  const hip = plus(hips, turned(pelvis, plus(rest.hip, jointPlace('Hips'), -1)))
  const forward = turned(aboutY(sign * (turn + splay)), [0, KNEES_UP, 1])
  const { thigh, shin } = reachWithLeg(rest, hip, ankle, forward)
  const felt = Math.max(0, 1 - up / TOES_FREE)
  return { thigh, shin, foot, toes: aboutX(-felt * Math.max(0, pitch)) }
}

/** The rest pose of all joints. */
export function restPose(): SkeletonPose {
  const pose = {
    translations: new Float64Array(3 * JOINTS.length),
    rotations: new Float64Array(4 * JOINTS.length),
    scales: new Float64Array(3 * JOINTS.length).fill(1),
  }
  JOINTS.forEach(({ parent, place, turn }, joint) => {
    pose.translations.set(parent < 0 ? place : plus(place, JOINTS[parent].place, -1), 3 * joint)
    pose.rotations.set(aboutZ((180 * turn) / Math.PI), 4 * joint)
  })
  return pose
}
