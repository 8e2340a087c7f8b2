/** Points of some triangles of a mesh: spread over them, or their corners. */

/** Points on all triangles, no further than `spacing` apart [m], and the triangle of each. */
export function pointsOnTriangles(
  p: Float64Array,
  triangles: Uint32Array,
  spacing: number,
): { points: Float64Array; triangleIds: Uint32Array } {
  const points: number[] = []
  const triangleIds: number[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const side = (u: number, v: number): number => Math.hypot(p[v] - p[u], p[v + 1] - p[u + 1], p[v + 2] - p[u + 2])
    const n = Math.max(1, Math.ceil(Math.max(side(a, b), side(b, c), side(c, a)) / spacing))
    for (let i = 0; i <= n; i++) {
      for (let j = 0; i + j <= n; j++) {
        triangleIds.push(t / 3)
        for (let axis = 0; axis < 3; axis++) {
          points.push((i * p[a + axis] + j * p[b + axis] + (n - i - j) * p[c + axis]) / n)
        }
      }
    }
  }
  return { points: Float64Array.from(points), triangleIds: Uint32Array.from(triangleIds) }
}

/** Coordinates of the vertices that triangles use, once for every corner. */
export function pick(p: Float64Array, triangles: Uint32Array): Float64Array {
  const out = new Float64Array(3 * triangles.length)
  triangles.forEach((v, i) => {
    out.set(p.subarray(3 * v, 3 * v + 3), 3 * i)
  })
  return out
}
