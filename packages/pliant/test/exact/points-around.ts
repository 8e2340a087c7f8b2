/** Points that are hard to tell the distance of. */
import { boxDiagonal } from '../../src/math/box.js'
import { randomStream } from '../../src/math/random.js'
import { sampleSurface } from '../../src/mesh/surface-sampling.js'
import { meshBox, type TriangleMesh } from '../../src/mesh/triangle-mesh.js'

/** A third in the box and its surroundings, a third near the surface, a third straight above vertices and edges. */
export function pointsAround(mesh: TriangleMesh, count: number, seed: number): Float64Array {
  const random = randomStream(seed)
  const { lower, upper } = meshBox(mesh)
  const size = boxDiagonal({ lower, upper })
  const points = new Float64Array(3 * count)
  sampleSurface(mesh, count, random, { points })
  for (let i = 0; i < count; i++) {
    const t = 3 * random.below(mesh.triangles.length / 3)
    const [from, to] = [3 * mesh.triangles[t], 3 * mesh.triangles[t + 1]]
    const along = random.uniform() < 0.5 ? 0 : random.uniform()
    const near = size * 10 ** random.between(-5, -1)
    for (let axis = 0; axis < 3; axis++) {
      const o = 3 * i + axis
      if (i % 3 === 0) points[o] = random.between(lower[axis] - 0.3 * size, upper[axis] + 0.3 * size)
      if (i % 3 === 1) points[o] += near * random.normal()
      if (i % 3 === 2) {
        const foot = mesh.positions[from + axis] * (1 - along) + mesh.positions[to + axis] * along
        // Along one axis only: rays and projections run exactly through vertices and edges.
        points[o] = foot + (axis === i % 2 ? near * random.between(-1, 1) : 0)
      }
    }
  }
  return points
}
