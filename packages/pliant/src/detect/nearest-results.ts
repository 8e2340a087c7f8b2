/** What is told of the triangle nearest to each query point. */
import type { Floats } from '../math/floats.js'

/** Triangle of a query point that is not finite. */
export const NO_TRIANGLE = 0xffffffff

/** Arrays that `NearestTriangles.find` fills; leave out what you do not need. */
export interface NearestResults {
  /** Receives the nearest triangle of each point; of several at the same distance, the one of lowest number. */
  triangleIds: Uint32Array
  /** Receives unsigned distances [m]. */
  distances?: Floats
  /** Receives closest points [m], xyz triples. */
  closestPoints?: Floats
  /** Receives the weights of the triangle's corners at the closest point, three each. */
  barycentrics?: Floats
}

/** Fills in NaN for a point that has no nearest triangle. */
export function writeNone(results: NearestResults, i: number): void {
  results.triangleIds[i] = NO_TRIANGLE
  if (results.distances) results.distances[i] = Number.NaN
  results.closestPoints?.fill(Number.NaN, 3 * i, 3 * i + 3)
  results.barycentrics?.fill(Number.NaN, 3 * i, 3 * i + 3)
}
