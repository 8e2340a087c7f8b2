/** What area each vertex of a surface stands for: a third of the triangles around it. */
import type { Floats } from '../math/floats.js'

/**
 * @param p          of the vertices [m], xyz triples
 * @param triangles  vertex numbers, three per triangle
 * @param out        receives an area per vertex [m^2]
 */
export function vertexAreas(
  p: Floats,
  triangles: Uint32Array,
  out: Float64Array = new Float64Array(p.length / 3),
): Float64Array {
  out.fill(0)
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2
    for (let corner = t; corner < t + 3; corner++) out[triangles[corner]] += area / 3
  }
  return out
}
