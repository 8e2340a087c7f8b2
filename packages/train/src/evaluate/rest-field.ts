/** What an object is judged against that learned nothing: its rest shape, whatever the code says. */
import type { CodeState, MovingField, TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'

export function restField(rest: TriangleMesh): MovingField<CodeState> {
  const exact = new ExactMeshField(rest)
  return {
    update: () => {},
    query: (points, count, distances, gradients) => exact.query(points, count, distances, gradients),
    bounds: (box) => exact.bounds(box),
  }
}
