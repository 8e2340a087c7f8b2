/**
 * The humanoid's joints: 21, named as game engines name them. Places are those of a T-pose, the frame in which shape and
 * motion are written down: +Y up, facing +Z, the left side at +X, feet on y = 0, arms straight out to the sides.
 *
 * At rest only the upper arms are turned, 40 degrees down: midway between hanging and raised, so that skin at the shoulder
 * is stretched least in either direction. All other joints have the world's axes at rest.
 */
import type { Vec3 } from 'pliant'

export const ARM_DROP = (40 * Math.PI) / 180

export interface Joint {
  name: string
  /** Number of the joint it hangs from, or -1. */
  parent: number
  /** In the T-pose [m]. */
  place: Vec3
  /** About z at rest [rad]. */
  turn: number
}

/** Middle and left; the right is the left mirrored. */
const MIDDLE: [name: string, parent: string, place: Vec3][] = [
  ['Hips', '', [0, 0.96, 0]],
  ['Spine', 'Hips', [0, 1.06, -0.008]],
  ['Chest', 'Spine', [0, 1.2, -0.012]],
  ['Neck', 'Chest', [0, 1.455, -0.018]],
  ['Head', 'Neck', [0, 1.545, 0]],
]
const SIDE: [name: string, parent: string, place: Vec3][] = [
  ['Shoulder', 'Chest', [0.03, 1.405, -0.012]],
  ['UpperArm', 'Shoulder', [0.176, 1.398, -0.014]],
  ['LowerArm', 'UpperArm', [0.448, 1.398, -0.014]],
  ['Hand', 'LowerArm', [0.692, 1.398, -0.014]],
  ['UpperLeg', 'Hips', [0.088, 0.925, -0.002]],
  ['LowerLeg', 'UpperLeg', [0.098, 0.5, 0.004]],
  ['Foot', 'LowerLeg', [0.102, 0.085, -0.03]],
  ['Toes', 'Foot', [0.11, 0.022, 0.1]],
]

export const JOINTS: readonly Joint[] = listJoints()

/** @throws Error if there is none of that name */
export function jointNumber(name: string): number {
  const number = JOINTS.findIndex((joint) => joint.name === name)
  if (number < 0) throw new Error(`humanoid: there is no joint '${name}'.`)
  return number
}

/** The place in the T-pose. */
export function jointPlace(name: string): Vec3 {
  return JOINTS[jointNumber(name)].place
}

function listJoints(): Joint[] {
  const rows = MIDDLE.map(([name, parent, place]) => ({ name, parent, place, turn: 0 }))
  for (const [side, sign] of [
    ['Left', 1],
    ['Right', -1],
  ] as const) {
    const own = new Set(SIDE.map(([name]) => name))
    for (const [name, parent, place] of SIDE) {
      rows.push({
        name: side + name,
        parent: own.has(parent) ? side + parent : parent,
        place: [sign * place[0], place[1], place[2]],
        turn: name === 'UpperArm' ? -sign * ARM_DROP : 0,
      })
    }
  }
  return rows.map(({ parent, ...joint }) => ({ ...joint, parent: rows.findIndex(({ name }) => name === parent) }))
}
