/** Transforms as column-major 4x4 matrices inside flat arrays; `at` arguments say where a matrix begins. */
import type { Floats } from './floats.js'

type Numbers = ArrayLike<number>

/** translation * rotation * scale: the scale is applied first. Joint number `index` of the three arrays. */
export function composeMat4(
  translations: Numbers,
  rotations: Numbers,
  scales: Numbers,
  index: number,
  out: Floats,
  outAt: number,
): void {
  const x = rotations[4 * index]
  const y = rotations[4 * index + 1]
  const z = rotations[4 * index + 2]
  const w = rotations[4 * index + 3]
  const sx = scales[3 * index]
  const sy = scales[3 * index + 1]
  const sz = scales[3 * index + 2]
  out[outAt] = sx * (1 - 2 * (y * y + z * z))
  out[outAt + 1] = sx * 2 * (x * y + w * z)
  out[outAt + 2] = sx * 2 * (x * z - w * y)
  out[outAt + 3] = 0
  out[outAt + 4] = sy * 2 * (x * y - w * z)
  out[outAt + 5] = sy * (1 - 2 * (x * x + z * z))
  out[outAt + 6] = sy * 2 * (y * z + w * x)
  out[outAt + 7] = 0
  out[outAt + 8] = sz * 2 * (x * z + w * y)
  out[outAt + 9] = sz * 2 * (y * z - w * x)
  out[outAt + 10] = sz * (1 - 2 * (x * x + y * y))
  out[outAt + 11] = 0
  out[outAt + 12] = translations[3 * index]
  out[outAt + 13] = translations[3 * index + 1]
  out[outAt + 14] = translations[3 * index + 2]
  out[outAt + 15] = 1
}

/** a * b, b applied first, for transforms whose last row is 0 0 0 1. `out` may be where `b` is, not where `a` is. */
export function multiplyAffine(a: Numbers, aAt: number, b: Numbers, bAt: number, out: Floats, outAt: number): void {
  for (let column = 0; column < 4; column++) {
    const at = bAt + 4 * column
    const x = b[at]
    const y = b[at + 1]
    const z = b[at + 2]
    const w = column === 3 ? 1 : 0
    const to = outAt + 4 * column
    out[to] = a[aAt] * x + a[aAt + 4] * y + a[aAt + 8] * z + a[aAt + 12] * w
    out[to + 1] = a[aAt + 1] * x + a[aAt + 5] * y + a[aAt + 9] * z + a[aAt + 13] * w
    out[to + 2] = a[aAt + 2] * x + a[aAt + 6] * y + a[aAt + 10] * z + a[aAt + 14] * w
    out[to + 3] = w
  }
}

/** a = a * b, b applied first, where b has no translation and its last row is 0 0 0 1. */
export function multiplyLinear(a: Floats, aAt: number, b: Numbers, bAt: number): void {
  for (let row = aAt; row < aAt + 3; row++) {
    const x = a[row]
    const y = a[row + 4]
    const z = a[row + 8]
    for (let column = 0; column < 12; column += 4) {
      a[row + column] = x * b[bAt + column] + y * b[bAt + column + 1] + z * b[bAt + column + 2]
    }
  }
}

/** Determinant of the upper left 3x3: volume ratio, negative where the transform mirrors. */
export function linearDeterminant(m: Numbers, at = 0): number {
  return (
    m[at] * (m[at + 5] * m[at + 10] - m[at + 6] * m[at + 9]) -
    m[at + 4] * (m[at + 1] * m[at + 10] - m[at + 2] * m[at + 9]) +
    m[at + 8] * (m[at + 1] * m[at + 6] - m[at + 2] * m[at + 5])
  )
}

/** The inverse of a transform whose last row is 0 0 0 1. False, with `out` of no use, if it has none. */
export function invertAffine(m: Numbers, at: number, out: Floats, outAt: number): boolean {
  const [a, b, c] = [m[at], m[at + 1], m[at + 2]]
  const [d, e, f] = [m[at + 4], m[at + 5], m[at + 6]]
  const [g, h, i] = [m[at + 8], m[at + 9], m[at + 10]]
  const [x, y, z] = [m[at + 12], m[at + 13], m[at + 14]]
  const scale = 1 / linearDeterminant(m, at)
  if (!Number.isFinite(scale)) return false
  out[outAt] = (e * i - f * h) * scale
  out[outAt + 1] = (c * h - b * i) * scale
  out[outAt + 2] = (b * f - c * e) * scale
  out[outAt + 3] = 0
  out[outAt + 4] = (f * g - d * i) * scale
  out[outAt + 5] = (a * i - c * g) * scale
  out[outAt + 6] = (c * d - a * f) * scale
  out[outAt + 7] = 0
  out[outAt + 8] = (d * h - e * g) * scale
  out[outAt + 9] = (b * g - a * h) * scale
  out[outAt + 10] = (a * e - b * d) * scale
  out[outAt + 11] = 0
  for (let row = 0; row < 3; row++) {
    out[outAt + 12 + row] = -(out[outAt + row] * x + out[outAt + 4 + row] * y + out[outAt + 8 + row] * z)
  }
  out[outAt + 15] = 1
  return true
}

/**
 * Splits the upper left 3x3 into rotation and scale along its columns, the x scale negative where it mirrors.
 * @returns how far the product of the two is from the matrix, relative to its size: 0 without shear; Infinity, with no
 *   rotation, if an axis that is needed has no length
 */
export function decomposeMat4(
  m: Numbers,
  at: number,
  rotation: Floats,
  rotationAt: number,
  scale: Floats,
  scaleAt: number,
): number {
  const axes = new Float64Array(9)
  // Gram-Schmidt from the first column on; the cross product makes the last one right-handed.
  const lengths = [0, 4, 8].map((column) => Math.hypot(m[at + column], m[at + column + 1], m[at + column + 2]))
  const mirror = linearDeterminant(m, at) < 0 ? -1 : 1
  scale[scaleAt] = mirror * lengths[0]
  scale[scaleAt + 1] = lengths[1]
  scale[scaleAt + 2] = lengths[2]
  for (let row = 0; row < 3; row++) axes[row] = m[at + row] / scale[scaleAt]
  let dot = 0
  for (let row = 0; row < 3; row++) dot += axes[row] * m[at + 4 + row]
  for (let row = 0; row < 3; row++) axes[3 + row] = m[at + 4 + row] - dot * axes[row]
  const second = Math.hypot(axes[3], axes[4], axes[5])
  for (let row = 0; row < 3; row++) axes[3 + row] /= second
  for (let row = 0; row < 3; row++) {
    const [p, q] = [(row + 1) % 3, (row + 2) % 3]
    axes[6 + row] = axes[p] * axes[3 + q] - axes[q] * axes[3 + p]
  }
  if (!axes.every(Number.isFinite)) {
    for (let k = 0; k < 4; k++) rotation[rotationAt + k] = k === 3 ? 1 : 0
    return Infinity
  }
  quaternionOfAxes(axes, rotation, rotationAt)
  let difference = 0
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      const product = axes[3 * column + row] * scale[scaleAt + column]
      difference = Math.max(difference, Math.abs(product - m[at + 4 * column + row]))
    }
  }
  return difference / Math.max(...lengths)
}

/** Unit quaternion of three orthonormal right-handed axes; divides by the largest of its entries. */
function quaternionOfAxes(a: Float64Array, out: Floats, at: number): void {
  const [xx, yx, zx, xy, yy, zy, xz, yz, zz] = a
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz]
  const largest = squares.indexOf(Math.max(...squares))
  const q = [
    [squares[0], xy + yx, xz + zx, zy - yz],
    [xy + yx, squares[1], yz + zy, xz - zx],
    [xz + zx, yz + zy, squares[2], yx - xy],
    [zy - yz, xz - zx, yx - xy, squares[3]],
  ][largest]
  const length = Math.hypot(...q)
  for (let k = 0; k < 4; k++) out[at + k] = q[k] / length
}

/**
 * The factor by which a transform scales all lengths: its volume ratio's cube root. `spread` is the largest relative
 * difference between its axes' lengths: 0 if it has no other scale and no shear, so that distances carry over exactly.
 */
export function uniformScale(m: ArrayLike<number>): { scale: number; spread: number } {
  const scale = Math.cbrt(Math.abs(linearDeterminant(m)))
  let spread = 0
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b <= a; b++) {
      let dot = 0
      for (let row = 0; row < 3; row++) dot += m[4 * a + row] * m[4 * b + row]
      spread = Math.max(spread, Math.abs(dot / (scale * scale) - (a === b ? 1 : 0)))
    }
  }
  return { scale, spread }
}
