/**
 * The lowest place of the largest of some planes over a triangle: the bound that tangents give of a convex function (Kelley
 * 1960, "The cutting-plane method"). In two dimensions by clipping: where a plane is the largest is a polygon, and the lowest
 * place of a plane is a corner of it.
 */

/** Three numbers a plane: value at the origin, and what it grows by along u and along v. */
export const PLANE_SIZE = 3

/** Most planes at once. */
export const MOST_PLANES = 27

// A polygon has no more corners than the triangle, and one for each other plane; rounding may add one to each cut.
const here = new Float64Array(4 * (3 + MOST_PLANES))
const there = new Float64Array(4 * (3 + MOST_PLANES))

/**
 * @param planes  `count` planes from `from` on
 * @param out     receives u, v (at least 0, together at most 1) and the value there
 * @returns false if no number comes out of the planes
 */
export function lowestOfPlanes(planes: Float64Array, from: number, count: number, out: Float64Array): boolean {
  let lowest = Infinity
  for (let j = 0; j < count; j++) {
    const at = from + PLANE_SIZE * j
    const corners = clipToLargest(planes, from, count, j)
    for (let i = 0; i < corners; i++) {
      const value = planes[at] + planes[at + 1] * here[2 * i] + planes[at + 2] * here[2 * i + 1]
      if (!(value < lowest)) continue
      lowest = value
      out[0] = here[2 * i]
      out[1] = here[2 * i + 1]
    }
  }
  out[2] = lowest
  return lowest < Infinity
}

/** Writes the polygon in which plane j is the largest. @returns its corners */
function clipToLargest(planes: Float64Array, from: number, count: number, j: number): number {
  const own = from + PLANE_SIZE * j
  here[0] = 0
  here[1] = 0
  here[2] = 1
  here[3] = 0
  here[4] = 0
  here[5] = 1
  let corners = 3
  for (let i = 0; i < count && corners > 0; i++) {
    if (i === j) continue
    const other = from + PLANE_SIZE * i
    corners = clip(
      planes[own] - planes[other],
      planes[own + 1] - planes[other + 1],
      planes[own + 2] - planes[other + 2],
      corners,
    )
  }
  return corners
}

/** Cuts away where a + b u + c v is negative. */
function clip(a: number, b: number, c: number, corners: number): number {
  let kept = 0
  // Planes that agree but for rounding cut nothing away.
  const level = -1e-12 * (Math.abs(a) + Math.abs(b) + Math.abs(c))
  for (let i = 0; i < corners; i++) {
    const next = i + 1 < corners ? 2 * i + 2 : 0
    const value = a + b * here[2 * i] + c * here[2 * i + 1]
    const after = a + b * here[next] + c * here[next + 1]
    if (value >= level) {
      there[2 * kept] = here[2 * i]
      there[2 * kept++ + 1] = here[2 * i + 1]
    }
    if (value >= level !== after >= level) {
      const share = Math.min(1, Math.max(0, value / (value - after)))
      there[2 * kept] = here[2 * i] + share * (here[next] - here[2 * i])
      there[2 * kept++ + 1] = here[2 * i + 1] + share * (here[next + 1] - here[2 * i + 1])
    }
  }
  for (let i = 0; i < 2 * kept; i++) here[i] = there[i]
  return kept
}
