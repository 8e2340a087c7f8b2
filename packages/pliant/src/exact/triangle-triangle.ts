/**
 * Whether two closed triangles share a point, exactly: touching counts, coplanar and collapsed triangles included. All
 * decisions are signs of determinants from robust-predicates, so the answer is that of the coordinates as given.
 *
 * Two triangles meet iff a side of one meets the other. Almost all pairs are settled by the planes alone; the rest are
 * rare enough that the plain version of each case is the fastest to trust.
 */
import { orient2d, orient3d } from 'robust-predicates'

/**
 * @param p  coordinates of the first triangle, nine from `i`
 * @param q  coordinates of the second, nine from `j`
 */
export function trianglesMeet(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  const q0 = side(p, i, q, j)
  const q1 = side(p, i, q, j + 3)
  const q2 = side(p, i, q, j + 6)
  if ((q0 > 0 && q1 > 0 && q2 > 0) || (q0 < 0 && q1 < 0 && q2 < 0)) return false
  const p0 = side(q, j, p, i)
  const p1 = side(q, j, p, i + 3)
  const p2 = side(q, j, p, i + 6)
  if ((p0 > 0 && p1 > 0 && p2 > 0) || (p0 < 0 && p1 < 0 && p2 < 0)) return false
  return (
    sideMeets(q, j, j + 3, q0, q1, p, i) ||
    sideMeets(q, j + 3, j + 6, q1, q2, p, i) ||
    sideMeets(q, j + 6, j, q2, q0, p, i) ||
    sideMeets(p, i, i + 3, p0, p1, q, j) ||
    sideMeets(p, i + 3, i + 6, p1, p2, q, j) ||
    sideMeets(p, i + 6, i, p2, p0, q, j)
  )
}

/** Side of the plane of the triangle at `t` that the point at `v` lies on: negative in front, positive behind. */
function side(c: Float64Array, t: number, d: Float64Array, v: number): number {
  // biome-ignore format: one corner per line
  return orient3d(
    c[t], c[t + 1], c[t + 2],
    c[t + 3], c[t + 4], c[t + 5],
    c[t + 6], c[t + 7], c[t + 8],
    d[v], d[v + 1], d[v + 2],
  )
}

/** Segment from `a` to `b`, whose ends lie on sides sa and sb of the triangle's plane, against the triangle. */
function sideMeets(s: Float64Array, a: number, b: number, sa: number, sb: number, c: Float64Array, t: number): boolean {
  if ((sa > 0 && sb > 0) || (sa < 0 && sb < 0)) return false
  if (sa === 0 && sb === 0) return flatSideMeets(s, a, b, c, t)
  // The line meets the plane in one point: inside iff it passes all three sides the same way round.
  const u = turnAbout(s, a, b, c, t, t + 3)
  const v = turnAbout(s, a, b, c, t + 3, t + 6)
  if ((u > 0 && v < 0) || (u < 0 && v > 0)) return false
  const w = turnAbout(s, a, b, c, t + 6, t)
  return !((w > 0 && (u < 0 || v < 0)) || (w < 0 && (u > 0 || v > 0)))
}

function turnAbout(s: Float64Array, a: number, b: number, c: Float64Array, d: number, e: number): number {
  // biome-ignore format: one corner per line
  return orient3d(
    s[a], s[a + 1], s[a + 2],
    s[b], s[b + 1], s[b + 2],
    c[d], c[d + 1], c[d + 2],
    c[e], c[e + 1], c[e + 2],
  )
}

/** A segment in the triangle's plane, or any segment if the triangle is collapsed and has no plane. */
function flatSideMeets(s: Float64Array, a: number, b: number, c: Float64Array, t: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const turn = turnFlat(axis, c, t, c, t + 3, c, t + 6)
    if (turn === 0) continue
    // Dropping this axis keeps the plane apart from a line: all is decided in two dimensions.
    return (
      pointInFlatTriangle(axis, s, a, c, t, turn) ||
      flatSegmentsMeet(axis, s, a, b, c, t, t + 3) ||
      flatSegmentsMeet(axis, s, a, b, c, t + 3, t + 6) ||
      flatSegmentsMeet(axis, s, a, b, c, t + 6, t)
    )
  }
  return (
    segmentsMeet(s, a, b, c, t, t + 3) || segmentsMeet(s, a, b, c, t + 3, t + 6) || segmentsMeet(s, a, b, c, t + 6, t)
  )
}

/** Whether two closed segments in space share a point. */
function segmentsMeet(s: Float64Array, a: number, b: number, c: Float64Array, d: number, e: number): boolean {
  if (turnAbout(s, a, b, c, d, e) !== 0) return false
  for (let axis = 0; axis < 3; axis++) {
    // An axis that can be dropped without squeezing their common plane into a line.
    const spread =
      turnFlat(axis, s, a, s, b, c, d) !== 0 ||
      turnFlat(axis, s, a, s, b, c, e) !== 0 ||
      turnFlat(axis, s, a, c, d, c, e) !== 0 ||
      turnFlat(axis, s, b, c, d, c, e) !== 0
    if (spread) return flatSegmentsMeet(axis, s, a, b, c, d, e)
  }
  // All on one line: they share a point iff they overlap along every axis.
  for (let axis = 0; axis < 3; axis++) if (!overlap(axis, s, a, b, c, d, e)) return false
  return true
}

/** Two closed segments in the plane that is left when `axis` is dropped. */
function flatSegmentsMeet(
  axis: number,
  s: Float64Array,
  a: number,
  b: number,
  c: Float64Array,
  d: number,
  e: number,
): boolean {
  const d1 = turnFlat(axis, s, a, s, b, c, d)
  const e1 = turnFlat(axis, s, a, s, b, c, e)
  if ((d1 > 0 && e1 > 0) || (d1 < 0 && e1 < 0)) return false
  const a1 = turnFlat(axis, c, d, c, e, s, a)
  const b1 = turnFlat(axis, c, d, c, e, s, b)
  if ((a1 > 0 && b1 > 0) || (a1 < 0 && b1 < 0)) return false
  // Needed where a segment is a point or both lie on one line; true of itself otherwise.
  return overlap((axis + 1) % 3, s, a, b, c, d, e) && overlap((axis + 2) % 3, s, a, b, c, d, e)
}

function pointInFlatTriangle(axis: number, s: Float64Array, a: number, c: Float64Array, t: number, turn: number) {
  for (let k = 0; k < 3; k++) {
    const here = turnFlat(axis, c, t + 3 * k, c, t + 3 * ((k + 1) % 3), s, a)
    if (turn > 0 ? here < 0 : here > 0) return false
  }
  return true
}

/** Turn from a over b to d in the plane that is left when `axis` is dropped. */
function turnFlat(
  axis: number,
  pa: Float64Array,
  a: number,
  pb: Float64Array,
  b: number,
  pd: Float64Array,
  d: number,
): number {
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  return orient2d(pa[a + u], pa[a + v], pb[b + u], pb[b + v], pd[d + u], pd[d + v])
}

function overlap(axis: number, s: Float64Array, a: number, b: number, c: Float64Array, d: number, e: number): boolean {
  return (
    Math.max(s[a + axis], s[b + axis]) >= Math.min(c[d + axis], c[e + axis]) &&
    Math.max(c[d + axis], c[e + axis]) >= Math.min(s[a + axis], s[b + axis])
  )
}
