/** What an object is judged against that learned nothing: its rest shape, whatever the code says. */
import type { CodeState, MovingField, TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'

export function restField(rest: TriangleMesh): MovingField<CodeState> {
  const exact = new ExactMeshField(rest)
  return {
    update: () => {},
    evaluate: (points, count, out) => exact.evaluate(points, count, out),
    gradient: (points, count, distances, gradients) => exact.gradient(points, count, distances, gradients),
    bounds: (box) => exact.bounds(box),
  }
}
