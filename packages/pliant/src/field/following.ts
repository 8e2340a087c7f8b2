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
    query: (points, count, distances, gradients) => field.query(points, count, distances, gradients),
    bounds: (box) => field.bounds(box),
  }
}
