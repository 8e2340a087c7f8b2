/**
 * How far a body reaches from an axis inside it: from the axis outward, by steps of the distance itself, until the
 * first place that is outside by the clearance. Limbs beside the trunk are not met, since the way ends at the trunk.
 */
import type { SignedField } from '../../field/signed-field.js'
import { type RingFrame, ringDirection } from './ring-frames.js'

export interface BodyOutline {
  readonly rings: number
  readonly segments: number
  /** Radius [m] of ring r at segment s: entry r * segments + s. */
  readonly radii: Float64Array
}

/** Steps of a search: each goes the distance left, and at least this share of the longest radius. */
const STEPS = 64

/**
 * @param frames     rings whose middles lie inside the body
 * @param clearance  distance from the body that ends the way [m]
 * @param maxRadius  where the way ends in any case [m]
 */
export function bodyOutline(
  field: SignedField,
  frames: readonly RingFrame[],
  segments: number,
  clearance: number,
  maxRadius: number,
): BodyOutline {
  const rings = frames.length
  const count = rings * segments
  const radii = new Float64Array(count)
  const points = new Float64Array(3 * count)
  const distances = new Float64Array(count)
  const normals = new Float64Array(3 * count)
  for (let step = 0; step < STEPS; step++) {
    for (let k = 0; k < count; k++) {
      const frame = frames[Math.trunc(k / segments)]
      const direction = ringDirection(frame, (2 * Math.PI * (k % segments)) / segments)
      for (let axis = 0; axis < 3; axis++) {
        points[3 * k + axis] = frame.centre[axis] + radii[k] * direction[axis]
      }
    }
    field.query(points, count, distances, normals)
    let open = 0
    for (let k = 0; k < count; k++) {
      const left = clearance - distances[k]
      if (!(left > 1e-4 * maxRadius) || radii[k] >= maxRadius) continue
      radii[k] = Math.min(maxRadius, radii[k] + Math.max(left, maxRadius / STEPS))
      open++
    }
    if (open === 0) break
  }
  return { rings, segments, radii }
}
