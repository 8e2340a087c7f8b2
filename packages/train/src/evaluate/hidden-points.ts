/**
 * Points whose nearest surface is hidden inside the body: where limbs overlap, or an ear has sunk into the back, the exact
 * distance is that to a surface which nobody can touch. A field of the whole body answers how deep a point is in it,
 * and is right to do so: such points count for the sign, and their distances apart.
 */
import type { ExactMeshField } from 'pliant/exact'

/** A step outward from a surface that is not hidden leaves the body; this long, in sizes. */
const OUTWARD = 1e-4

/**
 * @param truth  exact distances and normals at the points
 * @param size   of the body [m]
 * @returns 1 for inner points from whose nearest surface one goes on inside the body
 */
export function hiddenPoints(
  exact: ExactMeshField,
  points: Float32Array | Float64Array,
  count: number,
  { distances, normals }: { distances: Float64Array; normals: Float64Array },
  size: number,
): Uint8Array {
  const beyond = Float64Array.from(points)
  for (let i = 0; i < count; i++) {
    const way = distances[i] < 0 ? OUTWARD * size - distances[i] : 0
    for (let axis = 3 * i; axis < 3 * i + 3; axis++) beyond[axis] += way * normals[axis]
  }
  const further = new Float64Array(count)
  exact.query(beyond, count, further)
  return Uint8Array.from(distances, (d, i) => (d < 0 && further[i] < 0 ? 1 : 0))
}
