/**
 * Tethers: each free vertex keeps to its nearest attachment by a line that is slack up to the distance along the cloth
 * (long range attachments, Kim et al. 2012). One pass of edge constraints a substep carries a pull only so far, and a
 * hung cloth sags by n^2 g dt^2 over n rows; a tether carries it in one step.
 */
import type { Floats } from '../../math/floats.js'
import type { ClothEdges } from './hinges.js'

export interface Tethers {
  count: number
  /** First coordinates of the free vertex and its attachment, two per tether. */
  readonly ends: Int32Array
  /** [m] */
  readonly lengths: Float64Array
}

export function createTethers(vertexCount: number): Tethers {
  return { count: 0, ends: new Int32Array(2 * vertexCount), lengths: new Float64Array(vertexCount) }
}

/**
 * Shortest ways along edges from all attachments at once (Dijkstra). They are no shorter than ways across faces, so a
 * tether never pulls a cloth that is not stretched.
 * @param attached  1 for attached vertices
 */
export function layTethers(tethers: Tethers, rest: Floats, edges: ClothEdges, attached: Uint8Array): void {
  const vertexCount = attached.length
  const distances = new Float64Array(vertexCount).fill(Infinity)
  const sources = new Int32Array(vertexCount).fill(-1)
  const neighbours: number[][] = Array.from({ length: vertexCount }, () => [])
  for (let edge = 0; edge < edges.count; edge++) {
    const [a, b] = [edges.vertices[2 * edge], edges.vertices[2 * edge + 1]]
    neighbours[a].push(b)
    neighbours[b].push(a)
  }
  let front: number[] = []
  for (let v = 0; v < vertexCount; v++) {
    if (attached[v] === 0) continue
    distances[v] = 0
    sources[v] = v
    front.push(v)
  }
  // Label-correcting in rounds: a cloth is some tens of edges wide, and a heap would be more code than it saves.
  while (front.length > 0) {
    const next = new Set<number>()
    for (const a of front) {
      for (const b of neighbours[a]) {
        const length = Math.hypot(
          rest[3 * a] - rest[3 * b],
          rest[3 * a + 1] - rest[3 * b + 1],
          rest[3 * a + 2] - rest[3 * b + 2],
        )
        if (distances[a] + length >= distances[b]) continue
        distances[b] = distances[a] + length
        sources[b] = sources[a]
        next.add(b)
      }
    }
    front = [...next]
  }
  tethers.count = 0
  for (let v = 0; v < vertexCount; v++) {
    if (attached[v] === 1 || sources[v] < 0) continue
    tethers.ends[2 * tethers.count] = 3 * v
    tethers.ends[2 * tethers.count + 1] = 3 * sources[v]
    tethers.lengths[tethers.count++] = distances[v]
  }
}

export function solveTethers({ count, ends, lengths }: Tethers, x: Float64Array): void {
  for (let k = 0; k < count; k++) {
    const v = ends[2 * k]
    const source = ends[2 * k + 1]
    const dx = x[v] - x[source]
    const dy = x[v + 1] - x[source + 1]
    const dz = x[v + 2] - x[source + 2]
    const squared = dx * dx + dy * dy + dz * dz
    const length = lengths[k]
    if (squared <= length * length) continue
    const scale = length / Math.sqrt(squared)
    x[v] = x[source] + scale * dx
    x[v + 1] = x[source + 1] + scale * dy
    x[v + 2] = x[source + 2] + scale * dz
  }
}
