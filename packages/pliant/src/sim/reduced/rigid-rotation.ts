/**
 * Free rotation of a body whose inertia is constant in its own frame, by the implicit midpoint on the rotation group:
 * with P = R^T L, find the middle M = P + h/2 M x I^-1 M, then R' = R cay(h I^-1 M). L is kept because it is never
 * touched, and the energy M . I^-1 M / 2 because it is quadratic. Stepping by the present angular velocity gains energy:
 * 0.2% in a second for a box that tumbles at a turn a second and 60 steps; here nothing in 100 s.
 */
import type { Floats } from '../../math/floats.js'
import { multiplyQuaternions, normaliseQuaternion } from '../../math/quaternion.js'

const NEWTON_STEPS = 12
/** Relative change of the middle that ends the search. */
const ENOUGH = 1e-15

/** Row by row. */
export function rotationMatrix(q: ArrayLike<number>, out: Float64Array): Float64Array {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]]
  out[0] = 1 - 2 * (y * y + z * z)
  out[1] = 2 * (x * y - z * w)
  out[2] = 2 * (x * z + y * w)
  out[3] = 2 * (x * y + z * w)
  out[4] = 1 - 2 * (x * x + z * z)
  out[5] = 2 * (y * z - x * w)
  out[6] = 2 * (x * z - y * w)
  out[7] = 2 * (y * z + x * w)
  out[8] = 1 - 2 * (x * x + y * y)
  return out
}

/** @returns whether the matrix is positive, and so has an inverse that means something */
export function invertSymmetric3(m: ArrayLike<number>, out: Float64Array): boolean {
  const [a, b, c, d, e, f] = [m[0], m[1], m[2], m[4], m[5], m[8]]
  const [A, B, C] = [d * f - e * e, c * e - b * f, b * e - c * d]
  const determinant = a * A + b * B + c * C
  const size = (a + d + f) / 3
  if (!(a > 0 && a * d - b * b > 0 && determinant > 1e-12 * size ** 3)) return false
  const upper = [A, B, C, a * f - c * c, b * c - a * e, a * d - b * b].map((value) => value / determinant)
  out.set([upper[0], upper[1], upper[2], upper[1], upper[3], upper[4], upper[2], upper[4], upper[5]])
  return true
}

/** The world's 3 x 3 of a matrix in the body's frame: R m R^T. */
export function turnMatrix3(r: Float64Array, m: Float64Array, out: Float64Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    const x = r[3 * i] * m[0] + r[3 * i + 1] * m[3] + r[3 * i + 2] * m[6]
    const y = r[3 * i] * m[1] + r[3 * i + 1] * m[4] + r[3 * i + 2] * m[7]
    const z = r[3 * i] * m[2] + r[3 * i + 1] * m[5] + r[3 * i + 2] * m[8]
    for (let j = 0; j < 3; j++) out[at + 3 * i + j] = x * r[3 * j] + y * r[3 * j + 1] + z * r[3 * j + 2]
  }
}

const _r = new Float64Array(9)
const _middle = new Float64Array(3)
const _start = new Float64Array(3)
const _turn = new Float64Array(4)

/**
 * Turns a body for a time.
 * @param orientation  quaternion, changed
 * @param momentum     angular momentum [kg m^2/s] over this time, world
 * @param inverse      of the inertia at rest, 3 x 3
 * @param h            [s]
 */
export function turnFreely(orientation: Floats, momentum: Floats, inverse: Float64Array, h: number): void {
  if (momentum[0] === 0 && momentum[1] === 0 && momentum[2] === 0) return
  const r = rotationMatrix(orientation, _r)
  for (let i = 0; i < 3; i++) {
    _start[i] = r[i] * momentum[0] + r[3 + i] * momentum[1] + r[6 + i] * momentum[2]
    _middle[i] = _start[i]
  }
  findMiddle(inverse, h)
  const [a, b, c] = _middle
  for (let i = 0; i < 3; i++) {
    _turn[i] = (h / 2) * (inverse[3 * i] * a + inverse[3 * i + 1] * b + inverse[3 * i + 2] * c)
  }
  _turn[3] = 1
  multiplyQuaternions(orientation, 0, _turn, 0, orientation, 0)
  normaliseQuaternion(orientation, 0)
}

/** Newton on M - P - h/2 M x W M = 0, W the inverse inertia. */
function findMiddle(W: Float64Array, h: number): void {
  const [m, s] = [_middle, _start]
  const size = Math.abs(s[0]) + Math.abs(s[1]) + Math.abs(s[2])
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const [a, b, c] = m
    const x = W[0] * a + W[1] * b + W[2] * c
    const y = W[3] * a + W[4] * b + W[5] * c
    const z = W[6] * a + W[7] * b + W[8] * c
    const g0 = a - s[0] - (h / 2) * (b * z - c * y)
    const g1 = b - s[1] - (h / 2) * (c * x - a * z)
    const g2 = c - s[2] - (h / 2) * (a * y - b * x)
    // Derivative: 1 - h/2 ([M] W - [W M]), where [v] w = v x w.
    const k = h / 2
    const j00 = 1 - k * (b * W[6] - c * W[3])
    const j01 = -k * (b * W[7] - c * W[4] + z)
    const j02 = -k * (b * W[8] - c * W[5] - y)
    const j10 = -k * (c * W[0] - a * W[6] - z)
    const j11 = 1 - k * (c * W[1] - a * W[7])
    const j12 = -k * (c * W[2] - a * W[8] + x)
    const j20 = -k * (a * W[3] - b * W[0] + y)
    const j21 = -k * (a * W[4] - b * W[1] - x)
    const j22 = 1 - k * (a * W[5] - b * W[2])
    const [c0, c1, c2] = [j11 * j22 - j12 * j21, j12 * j20 - j10 * j22, j10 * j21 - j11 * j20]
    const determinant = j00 * c0 + j01 * c1 + j02 * c2
    if (!(Math.abs(determinant) > 1e-12)) return
    const d0 = (g0 * c0 + j01 * (j12 * g2 - g1 * j22) + j02 * (g1 * j21 - j11 * g2)) / determinant
    const d1 = (j00 * (g1 * j22 - j12 * g2) + g0 * c1 + j02 * (j10 * g2 - g1 * j20)) / determinant
    const d2 = (j00 * (j11 * g2 - g1 * j21) + j01 * (g1 * j20 - j10 * g2) + g0 * c2) / determinant
    m[0] -= d0
    m[1] -= d1
    m[2] -= d2
    if (Math.abs(d0) + Math.abs(d1) + Math.abs(d2) <= ENOUGH * size) return
  }
}
