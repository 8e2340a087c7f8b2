/**
 * The nearest triangle by looking at every one, as the haptics paper does (section 4.1): the baseline that
 * `NearestTriangles` is held to, triangle by triangle.
 */

import { barycentricAt } from '../exact/barycentric.js'
import { CLOSEST_SIZE, closestOnTriangle } from '../exact/point-triangle.js'
import type { Floats } from '../math/floats.js'
import { type NearestResults, writeNone } from './nearest-results.js'

const corners = new Float64Array(9)
const closest = new Float64Array(CLOSEST_SIZE)

/**
 * @param positions  vertices as they are now [m], xyz triples
 * @param triangles  vertex numbers, three per triangle
 * @param points     query points [m], at least 3 * count long
 */
export function scanNearestTriangle(
  positions: Floats,
  triangles: Uint32Array,
  points: Floats,
  count: number,
  results: NearestResults,
): void {
  for (let i = 0; i < count; i++) {
    const px = points[3 * i]
    const py = points[3 * i + 1]
    const pz = points[3 * i + 2]
    let best = Infinity
    let nearest = -1
    for (let t = 0; t < triangles.length; t += 3) {
      takeCorners(positions, triangles, t)
      const squared = closestOnTriangle(corners, 0, px, py, pz, closest)
      if (squared < best) {
        best = squared
        nearest = t
      }
    }
    if (nearest < 0) {
      writeNone(results, i)
      continue
    }
    results.triangleIds[i] = nearest / 3
    if (results.distances) results.distances[i] = Math.sqrt(best)
    if (!results.closestPoints && !results.barycentrics) continue
    takeCorners(positions, triangles, nearest)
    closestOnTriangle(corners, 0, px, py, pz, closest)
    if (results.closestPoints) {
      for (let axis = 0; axis < 3; axis++) results.closestPoints[3 * i + axis] = closest[axis]
    }
    if (results.barycentrics) barycentricAt(corners, 0, closest, results.barycentrics, 3 * i)
  }
}

function takeCorners(p: Floats, triangles: Uint32Array, t: number): void {
  const a = 3 * triangles[t]
  const b = 3 * triangles[t + 1]
  const c = 3 * triangles[t + 2]
  corners[0] = p[a]
  corners[1] = p[a + 1]
  corners[2] = p[a + 2]
  corners[3] = p[b]
  corners[4] = p[b + 1]
  corners[5] = p[b + 2]
  corners[6] = p[c]
  corners[7] = p[c + 1]
  corners[8] = p[c + 2]
}
