/** Rotations as unit quaternions x, y, z, w inside flat arrays; `at` arguments say where one begins. */
import type { Floats } from './floats.js'

type Numbers = ArrayLike<number>

/** a * b, b applied first. `out` may be either. */
export function multiplyQuaternions(
  a: Numbers,
  aAt: number,
  b: Numbers,
  bAt: number,
  out: Floats,
  outAt: number,
): void {
  const ax = a[aAt]
  const ay = a[aAt + 1]
  const az = a[aAt + 2]
  const aw = a[aAt + 3]
  const bx = b[bAt]
  const by = b[bAt + 1]
  const bz = b[bAt + 2]
  const bw = b[bAt + 3]
  out[outAt] = aw * bx + ax * bw + ay * bz - az * by
  out[outAt + 1] = aw * by - ax * bz + ay * bw + az * bx
  out[outAt + 2] = aw * bz + ax * by - ay * bx + az * bw
  out[outAt + 3] = aw * bw - ax * bx - ay * by - az * bz
}

/** The opposite rotation. `out` may be `a`. */
export function conjugateQuaternion(a: Numbers, aAt: number, out: Floats, outAt: number): void {
  for (let k = 0; k < 3; k++) out[outAt + k] = -a[aAt + k]
  out[outAt + 3] = a[aAt + 3]
}

/** Makes it a unit quaternion; one of length zero becomes no rotation. */
export function normaliseQuaternion(out: Floats, at: number): void {
  // Not Math.hypot, which takes some thirty times as long: a pose has a quaternion or more for each joint.
  const length = Math.sqrt(out[at] ** 2 + out[at + 1] ** 2 + out[at + 2] ** 2 + out[at + 3] ** 2)
  for (let k = 0; k < 4; k++) out[at + k] = length > 0 ? out[at + k] / length : k === 3 ? 1 : 0
}

/** From a (t = 0) to b (t = 1) at even speed, the short way round. `out` may be either. */
export function slerpQuaternions(
  a: Numbers,
  aAt: number,
  b: Numbers,
  bAt: number,
  t: number,
  out: Floats,
  outAt: number,
): void {
  let cosine = 0
  for (let k = 0; k < 4; k++) cosine += a[aAt + k] * b[bAt + k]
  const sign = cosine < 0 ? -1 : 1
  cosine *= sign
  let shareA = 1 - t
  let shareB = t
  // Below 1e-3 rad the chord is the arc to 1e-7, and dividing by the sine would lose more.
  if (cosine < 1 - 5e-7) {
    const angle = Math.acos(cosine)
    const sine = Math.sin(angle)
    shareA = Math.sin((1 - t) * angle) / sine
    shareB = Math.sin(t * angle) / sine
  }
  for (let k = 0; k < 4; k++) out[outAt + k] = shareA * a[aAt + k] + sign * shareB * b[bAt + k]
  normaliseQuaternion(out, outAt)
}

/** Logarithm: axis times angle [rad], angle in [0, pi]. Jumps to the opposite vector where the angle passes pi. */
export function rotationVector(q: Numbers, at: number, out: Floats, outAt: number): void {
  const sign = q[at + 3] < 0 ? -1 : 1
  const sine = Math.sqrt(q[at] ** 2 + q[at + 1] ** 2 + q[at + 2] ** 2)
  // Towards no rotation angle / sine(angle / 2) goes to 2.
  const factor = sine > 1e-12 ? (2 * Math.atan2(sine, Math.abs(q[at + 3]))) / sine : 2
  for (let k = 0; k < 3; k++) out[outAt + k] = sign * factor * q[at + k]
}

/** Exponential: the rotation about `v` by its length [rad]. */
export function quaternionOfVector(v: Numbers, at: number, out: Floats, outAt: number): void {
  const [x, y, z] = [v[at], v[at + 1], v[at + 2]]
  const angle = Math.sqrt(x * x + y * y + z * z)
  const factor = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5
  out[outAt] = factor * x
  out[outAt + 1] = factor * y
  out[outAt + 2] = factor * z
  out[outAt + 3] = Math.cos(angle / 2)
}

/** The smallest rotation that carries direction `a` to direction `b` (both of length > 0). */
export function swingBetween(a: Numbers, b: Numbers, out: Floats, outAt: number): void {
  const lengths = Math.hypot(a[0], a[1], a[2]) * Math.hypot(b[0], b[1], b[2])
  const cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths
  for (let k = 0; k < 3; k++) {
    const [p, q] = [(k + 1) % 3, (k + 2) % 3]
    out[outAt + k] = (a[p] * b[q] - a[q] * b[p]) / lengths
  }
  out[outAt + 3] = 1 + cosine
  if (1 + cosine < 1e-9) {
    // Opposite directions: half a turn about any axis across.
    const across = Math.abs(a[0]) < Math.abs(a[1]) ? [0, -a[2], a[1]] : [-a[2], 0, a[0]]
    for (let k = 0; k < 3; k++) out[outAt + k] = across[k]
    out[outAt + 3] = 0
  }
  normaliseQuaternion(out, outAt)
}

/** Turns the vector of three numbers. `out` may be the vector. */
export function rotateVector(q: Numbers, at: number, v: Numbers, vAt: number, out: Floats, outAt: number): void {
  const [qx, qy, qz, qw] = [q[at], q[at + 1], q[at + 2], q[at + 3]]
  const [x, y, z] = [v[vAt], v[vAt + 1], v[vAt + 2]]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  out[outAt] = x + qw * tx + qy * tz - qz * ty
  out[outAt + 1] = y + qw * ty + qz * tx - qx * tz
  out[outAt + 2] = z + qw * tz + qx * ty - qy * tx
}
