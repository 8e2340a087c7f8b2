/**
 * An affine map as a rotation of a stretch, T = R S: S symmetric, and where T mirrors, its smallest
 * singular value is the one that becomes negative.
 *
 * `polarRotation` does it for maps that keep space the right way round. For others its iteration stands still where
 * nothing turns it, though another rotation fits better (diag(-3, 1, 1) would come out as no rotation, with the largest
 * value negative), so they take the slower way.
 */
import { nearestRotation } from '../../math/nearest-rotation.js'
import { polarRotation, writeRotation } from '../../math/polar3.js'

/** Maps whose determinant is a smaller share of their size's cube are as good as singular. */
const LEAST_VOLUME = 1e-4

const _rotation = new Float64Array(9)
const _transpose = new Float64Array(9)
const _quaternion = new Float64Array(4)

/**
 * @param t           T, nine numbers, row by row, from `at` on
 * @param quaternion  receives R from `quaternionAt` on: x, y, z, w
 * @param stretch     receives S from `stretchAt` on: xx, xy, xz, yy, yz, zz
 */
export function splitAffine(
  t: Float64Array,
  at: number,
  quaternion: Float64Array,
  quaternionAt: number,
  stretch: Float64Array,
  stretchAt: number,
): void {
  const r = _rotation
  if (keepsSpace(t, at)) {
    polarRotation(t, at, r)
    writeQuaternion(r, quaternion, quaternionAt)
  } else {
    for (let i = 0; i < 9; i++) _transpose[i] = t[at + 3 * (i % 3) + Math.trunc(i / 3)]
    nearestRotation(_transpose, _quaternion)
    for (let k = 0; k < 4; k++) quaternion[quaternionAt + k] = _quaternion[k]
    writeRotation(_quaternion, r)
  }
  let to = stretchAt
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) stretch[to++] = (columnDot(r, i, t, at + j) + columnDot(r, j, t, at + i)) / 2
  }
}

function keepsSpace(t: Float64Array, at: number): boolean {
  const determinant =
    t[at] * (t[at + 4] * t[at + 8] - t[at + 5] * t[at + 7]) +
    t[at + 1] * (t[at + 5] * t[at + 6] - t[at + 3] * t[at + 8]) +
    t[at + 2] * (t[at + 3] * t[at + 7] - t[at + 4] * t[at + 6])
  let squared = 0
  for (let i = 0; i < 9; i++) squared += t[at + i] * t[at + i]
  return determinant > LEAST_VOLUME * (squared / 3) ** 1.5
}

/** Of two columns of matrices that are stored row by row. */
function columnDot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 3] * b[j + 3] + a[i + 6] * b[j + 6]
}

/** Divides by the largest of its entries, so that half turns lose no digits. */
function writeQuaternion(r: Float64Array, out: Float64Array, at: number): void {
  const w = 1 + r[0] + r[4] + r[8]
  const x = 1 + r[0] - r[4] - r[8]
  const y = 1 - r[0] + r[4] - r[8]
  const z = 1 - r[0] - r[4] + r[8]
  const most = Math.max(w, x, y, z)
  const factor = 0.5 / Math.sqrt(most)
  if (w === most) setFour(out, at, factor, r[7] - r[5], r[2] - r[6], r[3] - r[1], w)
  else if (x === most) setFour(out, at, factor, x, r[1] + r[3], r[2] + r[6], r[7] - r[5])
  else if (y === most) setFour(out, at, factor, r[1] + r[3], y, r[5] + r[7], r[2] - r[6])
  else setFour(out, at, factor, r[2] + r[6], r[5] + r[7], z, r[3] - r[1])
}

function setFour(out: Float64Array, at: number, factor: number, x: number, y: number, z: number, w: number): void {
  out[at] = factor * x
  out[at + 1] = factor * y
  out[at + 2] = factor * z
  out[at + 3] = factor * w
}
