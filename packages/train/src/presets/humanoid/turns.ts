/** Rotations as quaternions of their own, for code that is written to be read and runs once. */
import type { Vec3 } from 'pliant'
import {
  conjugateQuaternion,
  multiplyQuaternions,
  quaternionOfVector,
  rotateVector,
  swingBetween,
} from 'pliant/unstable'

export type Turn = Float64Array

export const NO_TURN: Turn = Float64Array.of(0, 0, 0, 1)

export const aboutX = (degrees: number): Turn => about([1, 0, 0], degrees)
export const aboutY = (degrees: number): Turn => about([0, 1, 0], degrees)
export const aboutZ = (degrees: number): Turn => about([0, 0, 1], degrees)

function about(axis: Vec3, degrees: number): Turn {
  const angle = (degrees * Math.PI) / 180
  const out = new Float64Array(4)
  quaternionOfVector([angle * axis[0], angle * axis[1], angle * axis[2]], 0, out, 0)
  return out
}

/** One after the other, the last first: as in a product of matrices. */
export function inOrder(...turns: Turn[]): Turn {
  const out = NO_TURN.slice()
  for (const turn of turns) multiplyQuaternions(out, 0, turn, 0, out, 0)
  return out
}

export function undone(turn: Turn): Turn {
  const out = new Float64Array(4)
  conjugateQuaternion(turn, 0, out, 0)
  return out
}

export function turned(turn: Turn, vector: Vec3): Vec3 {
  const out = new Float64Array(3)
  rotateVector(turn, 0, vector, 0, out, 0)
  return [out[0], out[1], out[2]]
}

/** The same on the other side of the body. */
export function mirroredTurn([x, y, z, w]: Turn): Turn {
  return Float64Array.of(x, -y, -z, w)
}

/** Carries one direction and, as far as that leaves it free, another one across to two new ones. */
export function carry(from: { along: Vec3; across: Vec3 }, to: { along: Vec3; across: Vec3 }): Turn {
  const swing = new Float64Array(4)
  swingBetween(from.along, to.along, swing, 0)
  const roll = new Float64Array(4)
  swingBetween(without(turned(swing, from.across), to.along), without(to.across, to.along), roll, 0)
  return inOrder(roll, swing)
}

/** A vector less its part along another. */
export function without(vector: Vec3, along: Vec3): Vec3 {
  const share = dot(vector, along) / dot(along, along)
  return [vector[0] - share * along[0], vector[1] - share * along[1], vector[2] - share * along[2]]
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function plus(a: Vec3, b: Vec3, factor = 1): Vec3 {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]]
}
