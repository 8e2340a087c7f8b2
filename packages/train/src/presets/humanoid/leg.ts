/** Two bones that reach for a point: hip and knee such that the ankle is where it is wanted. */
import type { Vec3 } from 'pliant'
import { carry, cross, dot, plus, type Turn, without } from './turns.js'

/** A leg is never quite straight: the knee would snap. */
const LONGEST = 0.9985

/** Places of hip, knee and ankle at rest [m]. */
export interface LegAtRest {
  hip: Vec3
  knee: Vec3
  ankle: Vec3
}

/**
 * @param hip      where the hip is [m]
 * @param ankle    where the ankle should be; a leg too short stretches towards it
 * @param forward  where the knee should point
 * @returns turns of thigh and shin from rest, in the world, and where the ankle came to be
 */
export function reachWithLeg(
  rest: LegAtRest,
  hip: Vec3,
  ankle: Vec3,
  forward: Vec3,
): { thigh: Turn; shin: Turn; ankle: Vec3 } {
  const thighAtRest = plus(rest.knee, rest.hip, -1)
  const shinAtRest = plus(rest.ankle, rest.knee, -1)
  const [a, b] = [length(thighAtRest), length(shinAtRest)]
  const way = plus(ankle, hip, -1)
  const reach = Math.min(length(way), LONGEST * (a + b))
  const along = scaled(way, 1 / length(way))
  const ahead = without(forward, along)
  const front = scaled(ahead, 1 / length(ahead))
  // Law of cosines: how far the knee leaves the straight line.
  const cosine = Math.min(1, (a * a + reach * reach - b * b) / (2 * a * reach))
  const sine = Math.sqrt(1 - cosine * cosine)
  const thigh = plus(scaled(along, a * cosine), front, a * sine)
  const reached = scaled(along, reach)
  const hinge = cross(front, along)
  const across: Vec3 = [1, 0, 0]
  return {
    thigh: carry({ along: thighAtRest, across }, { along: thigh, across: hinge }),
    shin: carry({ along: shinAtRest, across }, { along: plus(reached, thigh, -1), across: hinge }),
    ankle: plus(hip, reached),
  }
}

function length(v: Vec3): number {
  return Math.sqrt(dot(v, v))
}

function scaled(v: Vec3, factor: number): Vec3 {
  return [factor * v[0], factor * v[1], factor * v[2]]
}
