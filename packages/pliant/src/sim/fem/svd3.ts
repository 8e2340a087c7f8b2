/**
 * The signed singular value decomposition F = U diag(s) V^T of a 3 x 3 matrix: U and V are rotations, s_0 >= s_1 >=
 * |s_2|, and s_2 is negative when F inverts. V by Jacobi rotations of F^T F (symmetric-eigen3.ts).
 */
import { createEigen3, eigen3 } from '../../math/symmetric-eigen3.js'

/** Where a decomposition goes; matrices row by row, so that columns are the singular vectors. */
export interface Svd3 {
  u: Float64Array
  s: Float64Array
  v: Float64Array
}

export function createSvd3(): Svd3 {
  return { u: new Float64Array(9), s: new Float64Array(3), v: new Float64Array(9) }
}

const eigen = createEigen3()

/** @param f nine numbers, row by row */
export function svd3(f: Float64Array, out: Svd3): void {
  const { u, s, v } = out
  const { matrix: c, values, vectors } = eigen
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) c[3 * i + j] = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]
  }
  eigen3(eigen)
  v.set(vectors)
  // Descending; swapping two columns and turning one keeps V a rotation.
  if (values[0] < values[1]) swapColumns(v, 0, 1)
  if (values[0] < values[2]) swapColumns(v, 0, 2)
  if (values[1] < values[2]) swapColumns(v, 1, 2)
  firstColumn(f, out)
  secondColumn(f, out)
  u[2] = u[3] * u[7] - u[6] * u[4]
  u[5] = u[6] * u[1] - u[0] * u[7]
  u[8] = u[0] * u[4] - u[3] * u[1]
  s[2] =
    u[2] * (f[0] * v[2] + f[1] * v[5] + f[2] * v[8]) +
    u[5] * (f[3] * v[2] + f[4] * v[5] + f[5] * v[8]) +
    u[8] * (f[6] * v[2] + f[7] * v[5] + f[8] * v[8])
}

function swapColumns(v: Float64Array, p: number, q: number): void {
  const { values } = eigen
  const value = values[p]
  values[p] = values[q]
  values[q] = value
  for (let row = 0; row < 9; row += 3) {
    const a = v[row + p]
    v[row + p] = v[row + q]
    v[row + q] = -a
  }
}

function firstColumn(f: Float64Array, { u, s, v }: Svd3): void {
  const x = f[0] * v[0] + f[1] * v[3] + f[2] * v[6]
  const y = f[3] * v[0] + f[4] * v[3] + f[5] * v[6]
  const z = f[6] * v[0] + f[7] * v[3] + f[8] * v[6]
  const length = Math.sqrt(x * x + y * y + z * z)
  s[0] = length
  // An element shrunk to a point has no directions: any will do.
  u[0] = length > 0 ? x / length : 1
  u[3] = length > 0 ? y / length : 0
  u[6] = length > 0 ? z / length : 0
}

function secondColumn(f: Float64Array, { u, s, v }: Svd3): void {
  let x = f[0] * v[1] + f[1] * v[4] + f[2] * v[7]
  let y = f[3] * v[1] + f[4] * v[4] + f[5] * v[7]
  let z = f[6] * v[1] + f[7] * v[4] + f[8] * v[7]
  const along = x * u[0] + y * u[3] + z * u[6]
  x -= along * u[0]
  y -= along * u[3]
  z -= along * u[6]
  let length = Math.sqrt(x * x + y * y + z * z)
  s[1] = length
  if (!(length > 1e-12 * s[0])) {
    // Shrunk to a line: any direction across it.
    const axis = Math.abs(u[0]) < 0.6 ? 0 : 1
    x = -u[3 * axis] * u[0] + (axis === 0 ? 1 : 0)
    y = -u[3 * axis] * u[3] + (axis === 1 ? 1 : 0)
    z = -u[3 * axis] * u[6]
    length = Math.sqrt(x * x + y * y + z * z)
  }
  u[1] = x / length
  u[4] = y / length
  u[7] = z / length
}
