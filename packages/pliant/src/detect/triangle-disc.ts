/**
 * A disc around a triangle: in its plane, about its centre, through its furthest corner. A point that is further than a
 * limit from the disc is further from the triangle, which takes a third of the time to tell.
 */

/** Centre, normal and radius of a disc, and one to spare. */
export const DISC_SIZE = 8
/** Radii are longer by this factor and by this part of the coordinates: what is compared with them is rounded. */
export const ROUNDING = 1 + 1e-12
export const PAD = 1e-12

/** A triangle thinner than this part of its length has no plane to speak of. */
const NEEDLE = 1e-3
/** Normals are this much shorter than 1, which makes up for their rounding. */
const TILT = 1 - 1e-9

/**
 * @param c    corner coordinates, nine from `o`
 * @param out  receives the disc from `at`; the normal of a needle is zero, so that its disc is a ball
 */
export function writeDisc(c: Float64Array, o: number, out: Float64Array, at: number): void {
  const ux = c[o + 3] - c[o]
  const uy = c[o + 4] - c[o + 1]
  const uz = c[o + 5] - c[o + 2]
  const vx = c[o + 6] - c[o]
  const vy = c[o + 7] - c[o + 1]
  const vz = c[o + 8] - c[o + 2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const square = nx * nx + ny * ny + nz * nz
  const uu = ux * ux + uy * uy + uz * uz
  const vv = vx * vx + vy * vy + vz * vz
  const uv = ux * vx + uy * vy + uz * vz
  const scale = square > NEEDLE * NEEDLE * (uu + vv) * (uu + vv) ? TILT / Math.sqrt(square) : 0
  const x = c[o] + (ux + vx) / 3
  const y = c[o + 1] + (uy + vy) / 3
  const z = c[o + 2] + (uz + vz) / 3
  out[at] = x
  out[at + 1] = y
  out[at + 2] = z
  out[at + 3] = scale * nx
  out[at + 4] = scale * ny
  out[at + 5] = scale * nz
  // Nine times the squared distances of the corners from the centre, in terms of the two sides.
  const furthest = Math.max(uu + vv + 2 * uv, 4 * uu + vv - 4 * uv, uu + 4 * vv - 4 * uv)
  out[at + 6] = (Math.sqrt(furthest) / 3) * ROUNDING + PAD * (Math.abs(x) + Math.abs(y) + Math.abs(z))
}
