/** Where a frame's time goes: the same field, with the time of its calls added up. */
import type { BodyField } from './body-field.js'

/** Milliseconds. */
export interface FieldClock {
  pose: number
  queries: number
}

export function timedField(field: BodyField, clock: FieldClock): BodyField {
  return {
    poseSkeleton(pose, matrices) {
      const began = performance.now()
      field.poseSkeleton(pose, matrices)
      clock.pose += performance.now() - began
    },
    gradient(points, count, distances, gradients) {
      const began = performance.now()
      field.gradient(points, count, distances, gradients)
      clock.queries += performance.now() - began
    },
  }
}
