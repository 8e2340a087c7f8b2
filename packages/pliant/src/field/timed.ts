/** Where a frame's time goes: the same field, with the time of its calls added up. */
import type { MovingField } from './signed-field.js'

/** Milliseconds. */
export interface FieldClock {
  update: number
  queries: number
}

export function timedField<State>(field: MovingField<State>, clock: FieldClock): MovingField<State> {
  const timed = (part: keyof FieldClock, work: () => void): void => {
    const began = performance.now()
    work()
    clock[part] += performance.now() - began
  }
  return {
    update: (state) => timed('update', () => field.update(state)),
    evaluate: (points, count, out) => timed('queries', () => field.evaluate(points, count, out)),
    gradient: (points, count, outDistances, outGradients) =>
      timed('queries', () => field.gradient(points, count, outDistances, outGradients)),
    bounds: (box) => field.bounds(box),
  }
}
