/**
 * Where a straight way through the space of codes first leads from a free shape to one that touches itself, and the
 * normal of the boundary there. Every vertex moves linearly along the way, so the pair of triangles that meets settles
 * the place to the last digits, and its gap the normal: with the nearest points a and b of the two triangles and the
 * unit vector n from b to a, the gap changes with the code by g_k = n . (U_a,k - U_b,k).
 */
import { barycentricAt } from '../barycentric.js'
import { CLOSEST_SIZE, closestOnTriangle } from '../point-triangle.js'
import { type TriangleGap, triangleGap } from '../triangle-gap.js'
import type { LinearSelfContact } from './linear-self-contact.js'

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

/** Pairs that may turn out to be met later than another before the search gives up. */
const MOST_PAIRS = 40

/** Share of the way, before the contact, at which the nearest points are taken: at the contact they have no direction. */
const STEP_BACK = 1e-5

/**
 * @param free      a code that does not touch itself
 * @param touching  one that does
 * @returns whether a point was found: false if `touching` is free
 */
export function findBoundaryPoint(
  contact: LinearSelfContact,
  free: ArrayLike<number>,
  touching: ArrayLike<number>,
  out: BoundaryPoint,
): boolean {
  const at = out.code
  const goTo = (t: number): void => {
    for (let k = 0; k < at.length; k++) at[k] = free[k] + t * (touching[k] - free[k])
  }
  goTo(1)
  if (!contact.touches(at)) return false
  let low = 0
  let high = 1
  for (let pair = 0; pair < MOST_PAIRS; pair++) {
    const [a, b] = contact.witness
    for (let halving = 0; halving < HALVINGS; halving++) {
      const middle = (low + high) / 2
      goTo(middle)
      contact.moveTo(at)
      if (contact.pairMeets(a, b)) high = middle
      else low = middle
    }
    out.triangles[0] = a
    out.triangles[1] = b
    goTo(low)
    if (!contact.touches(at)) break
    // Another pair meets earlier on the way.
    high = low
    low = 0
  }
  goTo(Math.max(0, low - STEP_BACK))
  writeNormal(contact, out)
  goTo(low)
  return true
}

const gap: TriangleGap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }
const corners = new Float64Array(18)
const closest = new Float64Array(CLOSEST_SIZE)

/** The way in which the gap of the pair grows fastest, at the code in `out`. */
function writeNormal(contact: LinearSelfContact, out: BoundaryPoint): void {
  const { rest, modes, triangles } = contact.shape
  contact.moveTo(out.code)
  contact.writeCorners(out.triangles[0], out.triangles[1], corners)
  const vertex = (k: number): number =>
    k < 3 ? triangles[3 * out.triangles[0] + k] : triangles[3 * out.triangles[1] + k - 3]
  triangleGap(corners, 0, 9, gap)
  for (const [o, [x, y, z], at] of [
    [0, gap.pointA, 0],
    [9, gap.pointB, 3],
  ] as const) {
    closestOnTriangle(corners, o, x, y, z, closest)
    barycentricAt(corners, o, closest, out.weights, at)
  }
  let length = 0
  for (let mode = 0; mode < out.normal.length; mode++) {
    let slope = 0
    for (let k = 0; k < 6; k++) {
      const weight = k < 3 ? out.weights[k] : -out.weights[k]
      const o = mode * rest.length + 3 * vertex(k)
      for (let axis = 0; axis < 3; axis++) slope += weight * modes[o + axis] * (gap.pointA[axis] - gap.pointB[axis])
    }
    out.normal[mode] = slope
    length += slope * slope
  }
  length = Math.sqrt(length)
  for (let mode = 0; mode < out.normal.length; mode++) out.normal[mode] = length > 0 ? out.normal[mode] / length : 0
}
