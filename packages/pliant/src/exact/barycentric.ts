/** Weights of a triangle's corners at the closest point that `closestOnTriangle` has found on it. */

import type { Floats } from '../math/floats.js'
import { FEATURE_CORNER, FEATURE_FACE } from './point-triangle.js'

/**
 * Never negative, sum 1. On a corner or a side they are exactly so: the others are 0.
 * @param c        corner coordinates, nine from `o`
 * @param closest  closest point and feature
 * @param out      receives three weights from `at`
 */
export function barycentricAt(c: Float64Array, o: number, closest: Float64Array, out: Floats, at: number): void {
  const feature = closest[3]
  out[at] = 0
  out[at + 1] = 0
  out[at + 2] = 0
  if (feature >= FEATURE_CORNER) {
    out[at + feature - FEATURE_CORNER] = 1
  } else if (feature === FEATURE_FACE) {
    inFace(c, o, closest, out, at)
  } else {
    const from = feature - 1
    const to = feature === 3 ? 0 : feature
    const t = alongSide(c, o + 3 * from, o + 3 * to, closest)
    out[at + from] = 1 - t
    out[at + to] = t
  }
}

function alongSide(c: Float64Array, a: number, b: number, q: Float64Array): number {
  const ux = c[b] - c[a]
  const uy = c[b + 1] - c[a + 1]
  const uz = c[b + 2] - c[a + 2]
  const along = ux * (q[0] - c[a]) + uy * (q[1] - c[a + 1]) + uz * (q[2] - c[a + 2])
  return Math.min(Math.max(along / (ux * ux + uy * uy + uz * uz), 0), 1)
}

/** Shares of the area of the triangles between the point and each side. */
function inFace(c: Float64Array, o: number, q: Float64Array, out: Floats, at: number): void {
  const ux = c[o + 3] - c[o]
  const uy = c[o + 4] - c[o + 1]
  const uz = c[o + 5] - c[o + 2]
  const vx = c[o + 6] - c[o]
  const vy = c[o + 7] - c[o + 1]
  const vz = c[o + 8] - c[o + 2]
  const wx = q[0] - c[o]
  const wy = q[1] - c[o + 1]
  const wz = q[2] - c[o + 2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const square = nx * nx + ny * ny + nz * nz
  const v = (nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx)) / square
  const w = (nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx)) / square
  // Rounding may take a point next to a side a hair beyond it.
  const b = Math.min(Math.max(v, 0), 1)
  const d = Math.min(Math.max(w, 0), 1 - b)
  out[at] = 1 - b - d
  out[at + 1] = b
  out[at + 2] = d
}
