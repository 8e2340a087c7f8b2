/**
 * Where domains may have their centres, and how far all vertices are from there along edges (Dijkstra), over the largest
 * such distance: what the sparsity of attention goes by. Some hundred places spread over the surface are enough, and keep
 * the table small for any mesh.
 */
import type { TriangleMesh } from 'pliant'
import { edgeTable, LeastFirst } from 'pliant/unstable'

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

class SurfaceWays {
  private readonly starts: Uint32Array
  private readonly ends: Uint32Array
  private readonly lengths: Float64Array
  private readonly queue: LeastFirst

  constructor({ positions: p, triangles }: TriangleMesh) {
    const vertexCount = p.length / 3
    const { vertices, edgeCount } = edgeTable(triangles, vertexCount)
    this.starts = new Uint32Array(vertexCount + 1)
    for (const vertex of vertices) this.starts[vertex + 1]++
    for (let v = 0; v < vertexCount; v++) this.starts[v + 1] += this.starts[v]
    this.ends = new Uint32Array(2 * edgeCount)
    this.lengths = new Float64Array(2 * edgeCount)
    const filled = this.starts.slice()
    for (let i = 0; i < vertices.length; i++) {
      const [a, b] = [vertices[i], vertices[i ^ 1]]
      const at = filled[a]++
      this.ends[at] = b
      this.lengths[at] = Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2])
    }
    this.queue = new LeastFirst(2 * edgeCount + 1)
  }

  distancesFrom(vertex: number, out: Float64Array): void {
    const { starts, ends, lengths, queue } = this
    out.fill(Number.POSITIVE_INFINITY)
    out[vertex] = 0
    queue.push(0, vertex)
    while (queue.size > 0) {
      const at = queue.pop()
      for (let e = starts[at]; e < starts[at + 1]; e++) {
        const way = out[at] + lengths[e]
        if (way >= out[ends[e]]) continue
        out[ends[e]] = way
        queue.push(way, ends[e])
      }
    }
  }

  farthestFrom(vertex: number): number {
    const way = new Float64Array(this.starts.length - 1)
    this.distancesFrom(vertex, way)
    return way.reduce((best, value, v) => (value < Number.POSITIVE_INFINITY && value > way[best] ? v : best), vertex)
  }
}
