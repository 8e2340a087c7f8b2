/**
 * Where a straight way through the space of codes first leads from a free shape to one that touches itself, and the
 * normal of the boundary there. Every vertex moves linearly along the way, so the pair of triangles that meets settles
 * the place to the last digits, and its gap the normal: with the nearest points a and b of the two triangles and the
 * unit vector n from b to a, the gap changes with the code by g_k = n . (U_a,k - U_b,k).
 */
import { barycentricAt } from '../barycentric.js'
import { CLOSEST_SIZE, closestOnTriangle } from '../point-triangle.js'
import { type TriangleGap, triangleGap } from '../triangle-gap.js'
import type { ContactTest } from './contact-test.js'

/** A point of the boundary between free codes and those that touch themselves. */
export interface BoundaryPoint {
  /** A free code, nearer to a touching one than rounding tells apart. */
  code: Float64Array
  /** Unit vector in the space of codes, towards free ones; zeros if the pair's gap has no direction. */
  normal: Float64Array
  /** The two triangles that meet just beyond. */
  triangles: Uint32Array
  /** Their nearest points at rest positions, as weights of their corners, three each. */
  weights: Float64Array
}

export function makeBoundaryPoint(codeSize: number): BoundaryPoint {
  return {
    code: new Float64Array(codeSize),
    normal: new Float64Array(codeSize),
    triangles: new Uint32Array(2),
    weights: new Float64Array(6),
  }
}

/** Halvings of the way for one pair of triangles: to the last digits of a code. */
const HALVINGS = 44

/** Equal steps of the way that are labelled first: a way that touches, is free and touches again is cut where it first does. */
export const BOUNDARY_STEPS = 16

/** Searches for pairs that meet earlier than all that met further on the way; two or three are the rule. */
const MOST_SEARCHES = 40

/** Share of the way, before the contact, at which the nearest points are taken: at the contact they have no direction. */
const STEP_BACK = 1e-5

/**
 * @param free      a code that does not touch itself
 * @param touching  one that does
 * @param steps     of the way that are labelled first; few do on a short one
 * @returns whether a point was found: false if `touching` is free, or `free` is not
 */
export function findBoundaryPoint(
  contact: ContactTest,
  free: ArrayLike<number>,
  touching: ArrayLike<number>,
  out: BoundaryPoint,
  steps: number = BOUNDARY_STEPS,
): boolean {
  const at = out.code
  const goTo = (t: number): void => {
    for (let k = 0; k < at.length; k++) at[k] = free[k] + t * (touching[k] - free[k])
  }
  const meetsAt = (t: number, a: number, b: number): boolean => {
    goTo(t)
    contact.moveTo(at)
    return contact.pairMeets(a, b)
  }
  const first = firstTouchingStep(contact, free, touching, steps)
  if (first < 0) return false
  const freeUpTo = (first - 1) / steps
  let low = first / steps
  let high = low
  for (let search = 0; search < MOST_SEARCHES; search++) {
    goTo(low)
    const pairs = contact.meetingPairs(at)
    if (pairs.length === 0) {
      goTo(Math.max(0, low - STEP_BACK))
      writeNormal(contact, out)
      goTo(low)
      return true
    }
    // Where the first of them begins to meet: one that is still apart where another meets already begins later.
    high = low
    for (let i = 0; i < pairs.length; i += 2) {
      if (i > 0 && !meetsAt(high, pairs[i], pairs[i + 1])) continue
      low = freeUpTo
      for (let halving = 0; halving < HALVINGS; halving++) {
        const middle = (low + high) / 2
        if (meetsAt(middle, pairs[i], pairs[i + 1])) high = middle
        else low = middle
      }
      out.triangles[0] = pairs[i]
      out.triangles[1] = pairs[i + 1]
    }
  }
  return false
}

/** @returns which of the steps, from 1 on, is the first that touches; -1 if none does */
function firstTouchingStep(
  contact: ContactTest,
  free: ArrayLike<number>,
  touching: ArrayLike<number>,
  steps: number,
): number {
  const size = contact.codeSize
  const codes = new Float64Array(steps * size)
  const answers = new Int8Array(steps)
  for (let step = 1; step <= steps; step++) {
    for (let k = 0; k < size; k++) {
      codes[(step - 1) * size + k] = free[k] + (step / steps) * (touching[k] - free[k])
    }
  }
  contact.touchesAll(codes, steps, answers)
  const found = answers.indexOf(1)
  return found < 0 ? -1 : found + 1
}

const gap: TriangleGap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }
const corners = new Float64Array(18)
const closest = new Float64Array(CLOSEST_SIZE)

/** The way in which the gap of the pair grows fastest, at the code in `out`. */
function writeNormal(contact: ContactTest, out: BoundaryPoint): void {
  contact.moveTo(out.code)
  contact.writeCorners(out.triangles[0], out.triangles[1], corners)
  triangleGap(corners, 0, 9, gap)
  for (const [o, [x, y, z], at] of [
    [0, gap.pointA, 0],
    [9, gap.pointB, 3],
  ] as const) {
    closestOnTriangle(corners, o, x, y, z, closest)
    barycentricAt(corners, o, closest, out.weights, at)
  }
  const away = gap.pointA.map((value, axis) => value - gap.pointB[axis])
  contact.writeSlope(out.triangles[0], out.triangles[1], out.weights, away, out.normal)
  const length = Math.sqrt(out.normal.reduce((sum, slope) => sum + slope * slope, 0))
  for (let k = 0; k < out.normal.length; k++) out.normal[k] = length > 0 ? out.normal[k] / length : 0
}
