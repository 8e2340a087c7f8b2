/**
 * How deep two triangles that meet are in each other: the least translation that parts them. Two convex shapes are apart iff
 * an axis tells them apart, and of two triangles these are enough to look at (Gottschalk et al. 1996): both normals, the
 * products of their sides, and the normals of the sides within either plane for triangles that lie in one.
 */

const axis = new Float64Array(3)
const normal = new Float64Array(3)
const ends = new Float64Array(4)

/** Axes shorter than this, as a share of the product of what they are made of, have no direction. */
const NOTHING = 1e-9

/**
 * @param p  corners of the first, nine numbers from `i` [m]
 * @param q  of the second, nine from `j`
 * @returns the depth [m]; 0 or less if an axis parts them, or if neither has an area
 */
export function triangleOverlap(p: Float64Array, i: number, q: Float64Array, j: number): number {
  let least = Number.POSITIVE_INFINITY
  const look = (): void => {
    const length = Math.hypot(axis[0], axis[1], axis[2])
    spanAlong(p, i, 0)
    spanAlong(q, j, 2)
    least = Math.min(least, (ends[1] - ends[2]) / length, (ends[3] - ends[0]) / length)
  }
  for (const [c, t] of [
    [p, i],
    [q, j],
  ] as const) {
    if (!cross(c, t, t + 3, c, t, t + 6)) continue
    normal.set(axis)
    look()
    for (let k = 0; k < 9; k += 3) {
      crossNormal(c, t + k, t + ((k + 3) % 9))
      look()
    }
  }
  for (let a = 0; a < 9; a += 3) {
    for (let b = 0; b < 9; b += 3) {
      if (cross(p, i + a, i + ((a + 3) % 9), q, j + b, j + ((b + 3) % 9))) look()
    }
  }
  return least === Number.POSITIVE_INFINITY ? 0 : least
}

/** Least and largest place of a triangle along the axis. */
function spanAlong(c: Float64Array, t: number, at: number): void {
  let [lower, upper] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let k = 0; k < 9; k += 3) {
    const along = axis[0] * c[t + k] + axis[1] * c[t + k + 1] + axis[2] * c[t + k + 2]
    if (along < lower) lower = along
    if (along > upper) upper = along
  }
  ends[at] = lower
  ends[at + 1] = upper
}

/** The product of two sides, from their ends; false if it has no direction. */
function cross(c: Float64Array, a: number, b: number, d: Float64Array, e: number, f: number): boolean {
  const [ux, uy, uz] = [c[b] - c[a], c[b + 1] - c[a + 1], c[b + 2] - c[a + 2]]
  const [vx, vy, vz] = [d[f] - d[e], d[f + 1] - d[e + 1], d[f + 2] - d[e + 2]]
  axis[0] = uy * vz - uz * vy
  axis[1] = uz * vx - ux * vz
  axis[2] = ux * vy - uy * vx
  return Math.hypot(...axis) > NOTHING * Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz)
}

/** Of a side within the plane of its triangle. */
function crossNormal(c: Float64Array, a: number, b: number): void {
  const [ux, uy, uz] = [c[b] - c[a], c[b + 1] - c[a + 1], c[b + 2] - c[a + 2]]
  axis[0] = normal[1] * uz - normal[2] * uy
  axis[1] = normal[2] * ux - normal[0] * uz
  axis[2] = normal[0] * uy - normal[1] * ux
}
