/**
 * Where the paper's descents begin (Liu et al., section 4.2): centres of the octree cells that two oriented boxes have in
 * common, or points of a body that stick out, chosen once.
 */
import type { SignedField } from '../../../field/signed-field.js'
import type { Box } from '../../../math/box.js'
import type { OrientedBox } from '../boxes/oriented-box.js'
import { carryPoints } from '../frames.js'

/**
 * Centres of the cells that two boxes have in common, by Algorithm 1 over their distances: a cell lies inside a box, or
 * outside, if its middle does by more than half its diagonal. Cells of the last level count if their middle is in both.
 * @param bToA    from B's box to A's, rigid, column-major 4x4
 * @param levels  how many times A's box is halved
 * @param out     receives xyz triples in the frame of A's box [m]
 */
export function pushSharedCells(
  a: OrientedBox,
  b: OrientedBox,
  bToA: Float64Array,
  levels: number,
  out: number[],
): void {
  const visit = (x: number, y: number, z: number, hx: number, hy: number, hz: number, left: number): void => {
    const radius = Math.hypot(hx, hy, hz)
    // The middle in B's frame: the transpose turns it back.
    const [dx, dy, dz] = [x - bToA[12], y - bToA[13], z - bToA[14]]
    const inB = boxDistance(
      bToA[0] * dx + bToA[1] * dy + bToA[2] * dz,
      bToA[4] * dx + bToA[5] * dy + bToA[6] * dz,
      bToA[8] * dx + bToA[9] * dy + bToA[10] * dz,
      b.half,
    )
    if (inB > radius) return
    if (inB <= -radius || left === 0) {
      if (inB <= 0) out.push(x, y, z)
      return
    }
    for (let octant = 0; octant < 8; octant++) {
      const [sx, sy, sz] = [octant & 1 ? 0.5 : -0.5, octant & 2 ? 0.5 : -0.5, octant & 4 ? 0.5 : -0.5]
      visit(x + sx * hx, y + sy * hy, z + sz * hz, hx / 2, hy / 2, hz / 2, left - 1)
    }
  }
  // Cells of A's box lie in A.
  visit(0, 0, 0, ...a.half, levels)
}

/** Eq. 1. */
function boxDistance(x: number, y: number, z: number, [hx, hy, hz]: readonly [number, number, number]): number {
  const [qx, qy, qz] = [Math.abs(x) - hx, Math.abs(y) - hy, Math.abs(z) - hz]
  const outside = Math.hypot(Math.max(qx, 0), Math.max(qy, 0), Math.max(qz, 0))
  return outside + Math.min(Math.max(qx, qy, qz), 0)
}

/** Of six neighbours so many lie outside where a body sticks out. */
const OUTSIDE = 4

/**
 * Points of a grid (half a step beside the box, so that none lies on its sides) that lie inside, of whose six neighbours at the same way at least four lie outside.
 * @param apart     n of the paper: way to the neighbours, and between points of the grid [m]
 * @param boundary  value below which a point is inside [m]
 * @returns xyz triples in the field's frame
 */
export function protrusions(field: SignedField, box: Box, apart: number, boundary = 0): Float64Array {
  const counts = [0, 1, 2].map((k) => Math.ceil((box.upper[k] - box.lower[k]) / apart) + 2)
  const [nx, ny, nz] = counts
  const places = new Float64Array(3 * nx * ny * nz)
  for (let i = 0; i < nx * ny * nz; i++) {
    places[3 * i] = box.lower[0] + ((i % nx) - 0.5) * apart
    places[3 * i + 1] = box.lower[1] + ((Math.floor(i / nx) % ny) - 0.5) * apart
    places[3 * i + 2] = box.lower[2] + (Math.floor(i / nx / ny) - 0.5) * apart
  }
  const values = new Float64Array(nx * ny * nz)
  field.query(places, values.length, values)
  const found: number[] = []
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] < boundary)) continue
    let outside = 0
    for (const step of [1, nx, nx * ny]) {
      for (const at of [i - step, i + step]) if (!(values[at] <= boundary)) outside++
    }
    if (outside >= OUTSIDE) found.push(places[3 * i], places[3 * i + 1], places[3 * i + 2])
  }
  return Float64Array.from(found)
}

/** @param out  may be where the points are */
export function ontoFrame(frame: Float64Array, points: readonly number[]): Float64Array {
  const out = Float64Array.from(points)
  carryPoints(frame, out, out.length / 3, out)
  return out
}
