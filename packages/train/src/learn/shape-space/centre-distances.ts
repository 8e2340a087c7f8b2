/**
 * Where domains may have their centres, and how far all vertices are from there along edges (Dijkstra), over the largest
 * such distance: what the sparsity of attention goes by. Some hundred places spread over the surface are enough, and keep
 * the table small for any mesh.
 */
import type { TriangleMesh } from 'pliant'
import { SurfaceWays } from '../../surface/surface-ways.js'

export interface CentreDistances {
  /** Vertices, each as far as possible from those before. */
  centres: Int32Array
  /** Of each centre in turn, to every vertex, 0 to 1; 1 to those of other pieces. */
  distances: Float32Array
}

const MOST_CENTRES = 256

export function centreDistances(mesh: TriangleMesh): CentreDistances {
  const vertexCount = mesh.positions.length / 3
  const ways = new SurfaceWays(mesh)
  const count = Math.min(MOST_CENTRES, vertexCount)
  const centres = new Int32Array(count)
  const nearest = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY)
  const table = new Float64Array(count * vertexCount)
  let farthest = ways.farthestFrom(0)
  for (let c = 0; c < count; c++) {
    centres[c] = farthest
    const row = table.subarray(c * vertexCount, (c + 1) * vertexCount)
    ways.distancesFrom(farthest, row)
    for (let v = 0; v < vertexCount; v++) nearest[v] = Math.min(nearest[v], row[v])
    farthest = nearest.indexOf(nearest.reduce((most, value) => Math.max(most, value), 0))
  }
  const largest = table.reduce((most, value) => (value < Number.POSITIVE_INFINITY ? Math.max(most, value) : most), 0)
  return { centres, distances: Float32Array.from(table, (value) => Math.min(1, value / largest)) }
}
