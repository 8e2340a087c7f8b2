/** Eigenvalues and eigenvectors of symmetric 3 x 3 matrices by cyclic Jacobi rotations. */
export interface Eigen3 {
  /** The matrix, row by row; destroyed. */
  matrix: Float64Array
  values: Float64Array
  /** Eigenvectors as columns of a rotation, row by row. */
  vectors: Float64Array
}

export function createEigen3(): Eigen3 {
  return { matrix: new Float64Array(9), values: new Float64Array(3), vectors: new Float64Array(9) }
}

const SWEEPS = 10

export function eigen3({ matrix: c, values, vectors: v }: Eigen3): void {
  v.fill(0)
  v[0] = 1
  v[4] = 1
  v[8] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const off = Math.abs(c[1]) + Math.abs(c[2]) + Math.abs(c[5])
    if (!(off > 1e-14 * (Math.abs(c[0]) + Math.abs(c[4]) + Math.abs(c[8])))) break
    rotate(c, v, 0, 1)
    rotate(c, v, 0, 2)
    rotate(c, v, 1, 2)
  }
  for (let k = 0; k < 3; k++) values[k] = c[4 * k]
}

/** One Jacobi rotation that empties entry (p, q) of c and is gathered in v. */
function rotate(c: Float64Array, v: Float64Array, p: number, q: number): void {
  const off = c[3 * p + q]
  if (off === 0) return
  const ratio = (c[4 * q] - c[4 * p]) / (2 * off)
  const tangent = (ratio >= 0 ? 1 : -1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio))
  const cosine = 1 / Math.sqrt(1 + tangent * tangent)
  const sine = tangent * cosine
  const r = 3 - p - q
  c[4 * p] -= tangent * off
  c[4 * q] += tangent * off
  c[3 * p + q] = 0
  c[3 * q + p] = 0
  const rp = c[3 * r + p]
  const rq = c[3 * r + q]
  c[3 * r + p] = cosine * rp - sine * rq
  c[3 * p + r] = c[3 * r + p]
  c[3 * r + q] = sine * rp + cosine * rq
  c[3 * q + r] = c[3 * r + q]
  for (let row = 0; row < 9; row += 3) {
    const a = v[row + p]
    const b = v[row + q]
    v[row + p] = cosine * a - sine * b
    v[row + q] = sine * a + cosine * b
  }
}
