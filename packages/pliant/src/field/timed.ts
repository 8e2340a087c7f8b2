/** Where a frame's time goes: the same field, with the time of its calls added up. */
import type { MovingField } from './signed-field.js'

/** Milliseconds. */
export interface FieldClock {
  update: number
  queries: number
}

export function timedField<State>(field: MovingField<State>, clock: FieldClock): MovingField<State> {
  return {
    update(state) {
      const began = performance.now()
      field.update(state)
      clock.update += performance.now() - began
    },
    query(points, count, distances, gradients) {
      const began = performance.now()
      field.query(points, count, distances, gradients)
      clock.queries += performance.now() - began
    },
    bounds: (box) => field.bounds(box),
  }
}
