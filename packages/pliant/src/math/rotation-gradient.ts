/**
 * What a rotation passes back to its rotation vector. With R = exp(v), a change dv turns R by J dv about its own axes,
 * dR = R [J dv]x, where J = 1 - (1 - cos t)/t^2 [v]x + (t - sin t)/t^3 [v]x^2 and t = |v|. So a gradient a by turns about
 * the rotation's own axes is J^T a by v. Smooth for every v: at zero by the series, at pi nothing happens.
 */
import type { Floats } from './floats.js'

/** Below this squared angle the series to the fourth order is exact to rounding, and the differences above lose digits. */
const SMALL = 1e-3

/**
 * @param vector  rotation vector [rad], three numbers from `at`
 * @param turn    gradient of a scalar by small turns about the rotated axes, three numbers
 * @param out     receives its gradient by the vector, three numbers from `outAt`
 */
export function pullBackRotationVector(
  vector: ArrayLike<number>,
  at: number,
  turn: ArrayLike<number>,
  out: Floats,
  outAt: number,
): void {
  const [x, y, z] = [vector[at], vector[at + 1], vector[at + 2]]
  const [a, b, c] = [turn[0], turn[1], turn[2]]
  const square = x * x + y * y + z * z
  const angle = Math.sqrt(square)
  const half = Math.sin(angle / 2)
  const first = square < SMALL ? 1 / 2 - square / 24 + square ** 2 / 720 : (2 * half * half) / square
  const second =
    square < SMALL ? 1 / 6 - square / 120 + square ** 2 / 5040 : (angle - Math.sin(angle)) / (square * angle)
  const [px, py, pz] = [y * c - z * b, z * a - x * c, x * b - y * a]
  out[outAt] = a + first * px + second * (y * pz - z * py)
  out[outAt + 1] = b + first * py + second * (z * px - x * pz)
  out[outAt + 2] = c + first * pz + second * (x * py - y * px)
}
