/**
 * The rotation of a rotation vector (Rodrigues), and how it changes with it. With K the matrix of the cross product with
 * the vector v: R = 1 + a K + b K^2; a small change d of v turns R by J d, J = 1 + b K + c K^2. All of it is smooth at no
 * rotation, where series stand in, and at full turns, where J is singular: changes across the axis then do nothing.
 */

const _coefficients = new Float64Array(3)

/** @param out  receives R, nine numbers, row by row, from `at` on */
export function writeExponential(x: number, y: number, z: number, out: Float64Array, at: number): void {
  writeCoefficients(x * x + y * y + z * z)
  const [a, b] = [_coefficients[0], _coefficients[1]]
  // K^2 = v v^T - |v|^2
  out[at] = 1 - b * (y * y + z * z)
  out[at + 1] = b * x * y - a * z
  out[at + 2] = b * x * z + a * y
  out[at + 3] = b * x * y + a * z
  out[at + 4] = 1 - b * (x * x + z * z)
  out[at + 5] = b * y * z - a * x
  out[at + 6] = b * x * z - a * y
  out[at + 7] = b * y * z + a * x
  out[at + 8] = 1 - b * (x * x + y * y)
}

/**
 * @param r    R of the vector, as `writeExponential` gave it
 * @param byR  gradient of something with respect to the entries of R, nine numbers, row by row
 * @param out  receives its gradient with respect to the vector
 */
export function pullBackExponential(
  x: number,
  y: number,
  z: number,
  r: Float64Array,
  byR: Float64Array,
  out: Float64Array,
): void {
  // Turning R by a small w changes it by [w] R, so that something by (M21 - M12, M02 - M20, M10 - M01) w, M = byR R^T.
  const wx = rowDot(byR, 6, r, 3) - rowDot(byR, 3, r, 6)
  const wy = rowDot(byR, 0, r, 6) - rowDot(byR, 6, r, 0)
  const wz = rowDot(byR, 3, r, 0) - rowDot(byR, 0, r, 3)
  const squared = x * x + y * y + z * z
  writeCoefficients(squared)
  const [b, c] = [_coefficients[1], _coefficients[2]]
  // J^T w = w - b (v x w) + c v x (v x w)
  const along = c * (x * wx + y * wy + z * wz)
  const rest = 1 - c * squared
  out[0] = rest * wx + along * x - b * (y * wz - z * wy)
  out[1] = rest * wy + along * y - b * (z * wx - x * wz)
  out[2] = rest * wz + along * z - b * (x * wy - y * wx)
}

/** a = sin t / t, b = (1 - cos t) / t^2, c = (t - sin t) / t^3, of the angle's square. */
function writeCoefficients(squared: number): void {
  const out = _coefficients
  if (squared < 1e-4) {
    out[0] = 1 - (squared / 6) * (1 - squared / 20)
    out[1] = 0.5 - (squared / 24) * (1 - squared / 30)
    out[2] = 1 / 6 - (squared / 120) * (1 - squared / 42)
    return
  }
  const angle = Math.sqrt(squared)
  const sine = Math.sin(angle)
  const half = Math.sin(angle / 2)
  out[0] = sine / angle
  out[1] = (2 * half * half) / squared
  out[2] = (angle - sine) / (angle * squared)
}

function rowDot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]
}
