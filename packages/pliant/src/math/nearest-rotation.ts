/**
 * The rotation that fits a 3 x 3 correlation best (Horn 1987), as a quaternion: the eigenvector of a symmetric 4 x 4
 * matrix to its largest eigenvalue, by Jacobi's rotations. A rotation for whatever matrix, singular or mirrored, and the
 * best one, where iterations such as those of `polar3.ts` may stand still on the worst.
 */
import { normaliseQuaternion } from './quaternion.js'

/** Eigenvalues this near to the largest, relative to all they span, count as equal to it. */
const TIE = 1e-12

/** Jacobi's rotations square their error in each sweep; 4x4 matrices take four or five. */
const MOST_SWEEPS = 12

const _matrix = new Float64Array(16)
/** Eigenvectors as rows. */
const _vectors = new Float64Array(16)

/**
 * The R for which trace(R s) is largest: of s = sum X x^T, the one that comes nearest to carrying each X to its x. Where
 * several fit equally well, it is the one of them nearest to no rotation.
 * @param s    nine numbers, row by row
 * @param out  receives x, y, z, w
 */
export function nearestRotation(s: Float64Array, out: Float64Array): void {
  writeHorn(s)
  diagonalise()
  takeBest(out)
}

/** Horn's matrix, rows x, y, z, w: q^T N q is how well the rotation q fits. */
function writeHorn(s: Float64Array): void {
  const n = _matrix
  n[0] = s[0] - s[4] - s[8]
  n[5] = s[4] - s[0] - s[8]
  n[10] = s[8] - s[0] - s[4]
  n[15] = s[0] + s[4] + s[8]
  n[1] = n[4] = s[1] + s[3]
  n[2] = n[8] = s[2] + s[6]
  n[6] = n[9] = s[5] + s[7]
  n[3] = n[12] = s[5] - s[7]
  n[7] = n[13] = s[6] - s[2]
  n[11] = n[14] = s[1] - s[3]
}

/** Eigenvalues onto the diagonal of the matrix, eigenvectors into rows. */
function diagonalise(): void {
  const [n, v] = [_matrix, _vectors]
  for (let i = 0; i < 16; i++) v[i] = i % 5 === 0 ? 1 : 0
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let off = 0
    let on = 0
    for (let i = 0; i < 16; i++) {
      if (i % 5 === 0) on += n[i] * n[i]
      else off += n[i] * n[i]
    }
    if (off <= 1e-34 * on) return
    for (let p = 0; p < 3; p++) for (let q = p + 1; q < 4; q++) rotatePair(n, v, p, q)
  }
}

function takeBest(out: Float64Array): void {
  const [n, v] = [_matrix, _vectors]
  const most = Math.max(n[0], n[5], n[10], n[15])
  const span = most - Math.min(n[0], n[5], n[10], n[15])
  // No rotation is 0 0 0 1; its part within the space of the best is the nearest of them.
  out.fill(0)
  let best = 0
  for (let k = 0; k < 4; k++) {
    if (n[5 * k] === most) best = k
    if (n[5 * k] < most - TIE * span) continue
    for (let i = 0; i < 4; i++) out[i] += v[4 * k + 3] * v[4 * k + i]
  }
  if (!(out[3] > 1e-12)) for (let i = 0; i < 4; i++) out[i] = v[4 * best + i]
  normaliseQuaternion(out, 0)
}

/** Turns rows and columns p and q of a symmetric 4x4 matrix so that their common entry becomes zero. */
function rotatePair(n: Float64Array, v: Float64Array, p: number, q: number): void {
  const apq = n[4 * p + q]
  if (apq === 0) return
  const half = (n[5 * q] - n[5 * p]) / (2 * apq)
  const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < 4; k++) {
    const a = n[4 * k + p]
    const b = n[4 * k + q]
    n[4 * k + p] = c * a - s * b
    n[4 * k + q] = s * a + c * b
  }
  for (let k = 0; k < 4; k++) {
    const a = n[4 * p + k]
    const b = n[4 * q + k]
    n[4 * p + k] = c * a - s * b
    n[4 * q + k] = s * a + c * b
    const x = v[4 * p + k]
    const y = v[4 * q + k]
    v[4 * p + k] = c * x - s * y
    v[4 * q + k] = s * x + c * y
  }
}
