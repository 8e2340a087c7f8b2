/**
 * Rings along a path: where each ring of a tube has its middle, and the plane it lies in. The planes turn with the path
 * and about it as little as they can (parallel transport), so that a tube round a bent arm is not wrung.
 */
import type { Vec3 } from '../../math/box.js'

export interface RingFrame {
  /** [m] */
  readonly centre: Vec3
  /** Two unit directions that span the ring's plane; u x direction of the path = v. */
  readonly u: Vec3
  readonly v: Vec3
}

/**
 * Rings at equal steps along the path, its ends among them. In a bend the plane halves the angle, spread over the
 * neighbouring rings.
 * @param path   places that it goes through [m], at least two
 * @param count  at least 1; one ring lies at the path's beginning
 * @throws RangeError if the path has no length
 */
export function ringFrames(path: readonly Vec3[], count: number): RingFrame[] {
  const length = pathLength(path)
  if (!(length > 0 && length < Infinity)) {
    throw new RangeError(`cloth tube: its axis is ${length} m long; give two different places.`)
  }
  const step = length / Math.max(count - 1, 1)
  const frames: RingFrame[] = []
  for (let ring = 0; ring < count; ring++) {
    const [x, y, z] = direction(placeAlong(path, (ring - 1) * step), placeAlong(path, (ring + 1) * step))
    // The first: across the path and the world axis that it follows least, never near zero.
    const [a, b, c] =
      frames.length > 0
        ? frames[ring - 1].u
        : Math.abs(z) <= Math.max(Math.abs(x), Math.abs(y))
          ? [y, -x, 0]
          : [0, z, -y]
    const along = a * x + b * y + c * z
    const u = unit([a - along * x, b - along * y, c - along * z])
    // Angles run so that rings one after the other face outward.
    const v: Vec3 = [u[1] * z - u[2] * y, u[2] * x - u[0] * z, u[0] * y - u[1] * x]
    frames.push({ centre: placeAlong(path, ring * step), u, v })
  }
  return frames
}

/** The direction outward from a ring's middle at an angle [rad]. */
export function ringDirection({ u, v }: RingFrame, angle: number): Vec3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return [c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2]]
}

/** [m] */
export function pathLength(path: readonly Vec3[]): number {
  let length = 0
  for (let i = 1; i < path.length; i++) length += distance(path[i - 1], path[i])
  return length
}

/** The place at a way [m] along the path; before its beginning and after its end, those. */
function placeAlong(path: readonly Vec3[], way: number): Vec3 {
  let left = Math.max(0, way)
  for (let i = 1; i < path.length; i++) {
    const part = distance(path[i - 1], path[i])
    if (left < part) return between(path[i - 1], path[i], left / part)
    left -= part
  }
  return path[path.length - 1]
}

/** The place at a share of the way from a to b. */
export function between(a: Vec3, b: Vec3, share: number): Vec3 {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])]
}

/** [m] */
export function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2])
}

function direction(from: Vec3, to: Vec3): Vec3 {
  return unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]])
}

function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}
