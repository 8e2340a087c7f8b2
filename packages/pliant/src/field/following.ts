/** A field that follows another kind of state than its own: of nodes, where it takes vertices; of joints, where it takes a code. */
import type { MovingField } from './signed-field.js'

/**
 * A field that follows another kind of state than its own: of nodes, where it takes vertices; of joints, where it
 * takes a code.
 * @param carry  from the state that is given to the one that `field` takes
 */
export function followingField<State, Own>(field: MovingField<Own>, carry: (state: State) => Own): MovingField<State> {
  return {
    update: (state) => field.update(carry(state)),
    evaluate: (points, count, out) => field.evaluate(points, count, out),
    gradient: (points, count, outDistances, outGradients) => field.gradient(points, count, outDistances, outGradients),
    bounds: (box) => field.bounds(box),
  }
}
