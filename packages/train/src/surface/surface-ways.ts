/** How far vertices of a surface are from each other along its edges (Dijkstra 1959). */
import type { TriangleMesh } from 'pliant'
import { edgeTable, LeastFirst } from 'pliant/unstable'

export class SurfaceWays {
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

  /** @param out  receives how far each vertex is from one; infinity of other pieces */
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

  /** Of the same piece. */
  farthestFrom(vertex: number): number {
    const way = new Float64Array(this.starts.length - 1)
    this.distancesFrom(vertex, way)
    return way.reduce((best, value, v) => (value < Number.POSITIVE_INFINITY && value > way[best] ? v : best), vertex)
  }
}
