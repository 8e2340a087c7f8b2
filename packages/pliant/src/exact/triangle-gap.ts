/**
 * How far two triangles that do not meet lie apart, and where: the nearest pair of points is a corner and a point of the
 * other triangle, or lies on two sides.
 */
import { closestOnTriangle } from './point-triangle.js'

/** Two nearest points, and how far they are apart. */
export interface TriangleGap {
  /** [m] */
  distance: number
  /** On the first triangle and on the second [m]. */
  pointA: Float64Array
  pointB: Float64Array
}

const found = new Float64Array(4)

/**
 * @param c    corners of both, nine numbers from `s` and nine from `t` [m]
 * @param out  receives the nearest points; of triangles that meet, some points without meaning
 */
export function triangleGap(c: Float64Array, s: number, t: number, out: TriangleGap): void {
  let best = Infinity
  const keep = (square: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void => {
    if (square >= best) return
    best = square
    out.pointA[0] = ax
    out.pointA[1] = ay
    out.pointA[2] = az
    out.pointB[0] = bx
    out.pointB[1] = by
    out.pointB[2] = bz
  }
  for (let k = 0; k < 9; k += 3) {
    const [a, b] = [s + k, t + k]
    const ofA = closestOnTriangle(c, t, c[a], c[a + 1], c[a + 2], found)
    keep(ofA, c[a], c[a + 1], c[a + 2], found[0], found[1], found[2])
    const ofB = closestOnTriangle(c, s, c[b], c[b + 1], c[b + 2], found)
    keep(ofB, found[0], found[1], found[2], c[b], c[b + 1], c[b + 2])
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) sideGap(c, s + 3 * i, s + 3 * ((i + 1) % 3), t + 3 * j, t + 3 * ((j + 1) % 3), keep)
  }
  out.distance = Math.sqrt(best)
}

/** Interior points of two sides; their ends are corners, which were looked at before. */
function sideGap(
  c: Float64Array,
  a: number,
  b: number,
  d: number,
  e: number,
  keep: (square: number, ax: number, ay: number, az: number, bx: number, by: number, bz: number) => void,
): void {
  const [ux, uy, uz] = [c[b] - c[a], c[b + 1] - c[a + 1], c[b + 2] - c[a + 2]]
  const [vx, vy, vz] = [c[e] - c[d], c[e + 1] - c[d + 1], c[e + 2] - c[d + 2]]
  const [wx, wy, wz] = [c[a] - c[d], c[a + 1] - c[d + 1], c[a + 2] - c[d + 2]]
  const uu = ux * ux + uy * uy + uz * uz
  const vv = vx * vx + vy * vy + vz * vz
  const uv = ux * vx + uy * vy + uz * vz
  const uw = ux * wx + uy * wy + uz * wz
  const vw = vx * wx + vy * wy + vz * wz
  const determinant = uu * vv - uv * uv
  // Parallel sides are nearest at an end as well.
  if (!(determinant > 1e-14 * uu * vv)) return
  const p = (uv * vw - vv * uw) / determinant
  const q = (uu * vw - uv * uw) / determinant
  if (!(p > 0 && p < 1 && q > 0 && q < 1)) return
  const [ax, ay, az] = [c[a] + p * ux, c[a + 1] + p * uy, c[a + 2] + p * uz]
  const [bx, by, bz] = [c[d] + q * vx, c[d + 1] + q * vy, c[d + 2] + q * vz]
  keep((ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2, ax, ay, az, bx, by, bz)
}
