/** Adds scale * w w^T of one tetrahedron to a matrix, where w holds a vector per corner: parts of projected stiffness. */
import type { BlockMatrix } from './block-matrix.js'

/** @param w twelve numbers from `from` on, xyz of the corners in ascending order of their nodes */
export function addRankOne(
  matrix: BlockMatrix,
  corners: Uint32Array,
  tet: number,
  w: Float64Array,
  scale: number,
  from = 0,
): void {
  const { values, diagonal, places } = matrix
  let pair = 6 * tet
  for (let i = 0; i < 4; i++) {
    const at = from + 3 * i
    const x = scale * w[at]
    const y = scale * w[at + 1]
    const z = scale * w[at + 2]
    const d = 6 * corners[4 * tet + i]
    diagonal[d] += x * w[at]
    diagonal[d + 1] += x * w[at + 1]
    diagonal[d + 2] += x * w[at + 2]
    diagonal[d + 3] += y * w[at + 1]
    diagonal[d + 4] += y * w[at + 2]
    diagonal[d + 5] += z * w[at + 2]
    for (let j = i + 1; j < 4; j++) {
      const v = places[pair++]
      const u0 = w[from + 3 * j]
      const u1 = w[from + 3 * j + 1]
      const u2 = w[from + 3 * j + 2]
      values[v] += x * u0
      values[v + 1] += x * u1
      values[v + 2] += x * u2
      values[v + 3] += y * u0
      values[v + 4] += y * u1
      values[v + 5] += y * u2
      values[v + 6] += z * u0
      values[v + 7] += z * u1
      values[v + 8] += z * u2
    }
  }
}

/**
 * w_i = Q b_i for the four corners: how a change of F along Q moves them.
 * @param q nine numbers, row by row
 * @param w receives twelve from `to` on
 */
export function cornersAlong(q: Float64Array, gradients: Float64Array, tet: number, w: Float64Array, to = 0): void {
  for (let row = 0; row < 3; row++) {
    let sum = 0
    for (let corner = 1; corner < 4; corner++) {
      const b = 9 * tet + 3 * (corner - 1)
      const along = q[3 * row] * gradients[b] + q[3 * row + 1] * gradients[b + 1] + q[3 * row + 2] * gradients[b + 2]
      w[to + 3 * corner + row] = along
      sum += along
    }
    w[to + row] = -sum
  }
}
