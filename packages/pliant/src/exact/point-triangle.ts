/**
 * Closest point of a triangle, and the feature it lies on. Voronoi regions as in Ericson, Real-Time Collision Detection
 * 5.1.5; needles and collapsed triangles, where his quotients lose all digits, go by their three sides and a projection.
 */

/** Where on the triangle the closest point lies: inside, on the side that starts at corner k, or at corner k. */
export const FEATURE_FACE = 0
export const FEATURE_SIDE = 1
export const FEATURE_CORNER = 4

/** Slots of the result: closest point xyz, then feature. */
export const CLOSEST_SIZE = 4

/** A triangle whose height is below this part of its longest side counts as a needle. */
export const NEEDLE = 1e-5

/**
 * @param c    corner coordinates, nine from `o`
 * @param out  receives the closest point and the feature (`CLOSEST_SIZE` numbers)
 * @returns the squared distance
 */
export function closestOnTriangle(
  c: Float64Array,
  o: number,
  px: number,
  py: number,
  pz: number,
  out: Float64Array,
): number {
  const ax = c[o]
  const ay = c[o + 1]
  const az = c[o + 2]
  const abx = c[o + 3] - ax
  const aby = c[o + 4] - ay
  const abz = c[o + 5] - az
  const acx = c[o + 6] - ax
  const acy = c[o + 7] - ay
  const acz = c[o + 8] - az
  const apx = px - ax
  const apy = py - ay
  const apz = pz - az
  const nx = aby * acz - abz * acy
  const ny = abz * acx - abx * acz
  const nz = abx * acy - aby * acx
  const square = nx * nx + ny * ny + nz * nz
  const abab = abx * abx + aby * aby + abz * abz
  const acac = acx * acx + acy * acy + acz * acz
  const longest = Math.max(abab, acac)
  if (square <= NEEDLE * NEEDLE * longest * longest) return closestOnNeedle(c, o, px, py, pz, out)

  const d1 = abx * apx + aby * apy + abz * apz
  const d2 = acx * apx + acy * apy + acz * apz
  let v = 0
  let w = 0
  let feature = FEATURE_CORNER
  if (d1 > 0 || d2 > 0) {
    const abac = abx * acx + aby * acy + abz * acz
    const d3 = d1 - abab
    const d4 = d2 - abac
    const d5 = d1 - abac
    const d6 = d2 - acac
    // Barycentric weights of the projection, from the normal: fewer digits lost than by products of the d's.
    const vb = dotCross(nx, ny, nz, apx, apy, apz, acx, acy, acz)
    const vc = dotCross(nx, ny, nz, abx, aby, abz, apx, apy, apz)
    if (d3 >= 0 && d4 <= d3) {
      v = 1
      feature = FEATURE_CORNER + 1
    } else if (d6 >= 0 && d5 <= d6) {
      w = 1
      feature = FEATURE_CORNER + 2
    } else if (vc <= 0 && d1 > 0 && d3 < 0) {
      v = d1 / abab
      feature = FEATURE_SIDE
    } else if (vb <= 0 && d2 > 0 && d6 < 0) {
      w = d2 / acac
      feature = FEATURE_SIDE + 2
    } else if (square - vb - vc <= 0 && d4 - d3 > 0 && d5 - d6 > 0) {
      w = (d4 - d3) / (d4 - d3 + (d5 - d6))
      v = 1 - w
      feature = FEATURE_SIDE + 1
    } else {
      v = vb / square
      w = vc / square
      feature = FEATURE_FACE
    }
  }
  const qx = ax + v * abx + w * acx
  const qy = ay + v * aby + w * acy
  const qz = az + v * abz + w * acz
  out[0] = qx
  out[1] = qy
  out[2] = qz
  out[3] = feature
  return (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz)
}

/** n . (u x v) */
function dotCross(
  nx: number,
  ny: number,
  nz: number,
  ux: number,
  uy: number,
  uz: number,
  vx: number,
  vy: number,
  vz: number,
): number {
  return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx)
}

/**
 * The nearest of the three sides, unless the projection is nearer and lies inside all three. Its feature is never the
 * face: the plane of a needle is not to be trusted, and a side is nearer than 1e-5 of its length.
 */
function closestOnNeedle(c: Float64Array, o: number, px: number, py: number, pz: number, out: Float64Array): number {
  let best = Infinity
  for (let k = 0; k < 3; k++) {
    const a = o + 3 * k
    const b = o + 3 * ((k + 1) % 3)
    const ux = c[b] - c[a]
    const uy = c[b + 1] - c[a + 1]
    const uz = c[b + 2] - c[a + 2]
    const along = ux * (px - c[a]) + uy * (py - c[a + 1]) + uz * (pz - c[a + 2])
    const length = ux * ux + uy * uy + uz * uz
    const t = along <= 0 ? 0 : along >= length ? 1 : along / length
    const qx = t === 1 ? c[b] : c[a] + t * ux
    const qy = t === 1 ? c[b + 1] : c[a + 1] + t * uy
    const qz = t === 1 ? c[b + 2] : c[a + 2] + t * uz
    const square = (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz)
    if (square >= best) continue
    best = square
    out[0] = qx
    out[1] = qy
    out[2] = qz
    out[3] = t === 0 ? FEATURE_CORNER + k : t === 1 ? FEATURE_CORNER + ((k + 1) % 3) : FEATURE_SIDE + k
  }
  return closerInside(c, o, px, py, pz, best, out)
}

/** Replaces the point in `out` by the projection onto the needle's plane where that is inside and nearer. */
function closerInside(
  c: Float64Array,
  o: number,
  px: number,
  py: number,
  pz: number,
  best: number,
  out: Float64Array,
): number {
  const abx = c[o + 3] - c[o]
  const aby = c[o + 4] - c[o + 1]
  const abz = c[o + 5] - c[o + 2]
  const acx = c[o + 6] - c[o]
  const acy = c[o + 7] - c[o + 1]
  const acz = c[o + 8] - c[o + 2]
  const nx = aby * acz - abz * acy
  const ny = abz * acx - abx * acz
  const nz = abx * acy - aby * acx
  const square = nx * nx + ny * ny + nz * nz
  if (!(square > 0)) return best
  // Height above the plane from the point found on a side, not from a corner: the needle's normal is off by up to 1e-16
  // of its length over its width, and that counts by the way to the base.
  const height = (nx * (px - out[0]) + ny * (py - out[1]) + nz * (pz - out[2])) / square
  const qx = px - height * nx
  const qy = py - height * ny
  const qz = pz - height * nz
  const nearer = height * height * square
  if (nearer >= best) return best
  for (let k = 0; k < 3; k++) {
    const a = o + 3 * k
    const b = o + 3 * ((k + 1) % 3)
    const ux = c[b] - c[a]
    const uy = c[b + 1] - c[a + 1]
    const uz = c[b + 2] - c[a + 2]
    if (dotCross(nx, ny, nz, ux, uy, uz, qx - c[a], qy - c[a + 1], qz - c[a + 2]) < 0) return best
  }
  out[0] = qx
  out[1] = qy
  out[2] = qz
  return nearer
}
