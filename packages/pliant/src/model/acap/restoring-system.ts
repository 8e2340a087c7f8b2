/**
 * The linear system by which shapes are restored from their features: a matrix of the reference alone, and right-hand
 * sides that are linear in the maps T of the vertices. Least squares of two things, over all vertices i:
 *
 * - along each edge to a neighbour j, (p_j - p_i) - T_i (P_j - P_i), as is usual. Edges are curved
 *   where T changes, so shapes that were encoded do not come back exactly by it.
 * - the normal equations of the fits themselves, sum_j c (p_j - p_i) e^T - T_i sum_j c e e^T with e = P_j - P_i. Seen along
 *   the surface, where the pseudo-edge has no say, they are linear in p and hold exactly for the shape that was encoded.
 *   Alone they would not do: like central differences, they do not see positions that alternate from vertex to vertex.
 */
import { type SparseMatrix, sparseFromTriplets } from '../../math/sparse/sparse-matrix.js'
import type { AcapReference } from './reference.js'

export interface RestoringSystem {
  /** Symmetric and positive definite; vertex 0 is pinned where right-hand sides that add up to zero leave it at the origin. */
  matrix: SparseMatrix
  /**
   * For each edge from a to b, six numbers: a vector h seen from a, then one seen from b. T_a h goes to the right-hand
   * side of b and -T_a h to that of a; T_b times the second goes to a, and its opposite to b.
   */
  pulls: Float64Array
}

/** Of the mean square of lengths, added to each: edges without length still hold their ends together. */
const LEAST_SQUARE = 1e-4

/** @param fitWeight  of the second thing against the first */
export function restoringSystem(reference: AcapReference, fitWeight: number): RestoringSystem {
  const { vertexCount, edges } = reference
  const entries = new Entries()
  const pulls = new Float64Array(6 * edges.weights.length)
  addEdges(reference, entries, pulls)
  if (fitWeight > 0) addFits(reference, fitWeight, entries, pulls)
  const { rows, columns, values } = entries
  return { matrix: sparseFromTriplets(vertexCount, rows, columns, values), pulls }
}

class Entries {
  readonly rows: number[] = []
  readonly columns: number[] = []
  readonly values: number[] = []

  add(row: number, column: number, value: number): void {
    this.rows.push(row)
    this.columns.push(column)
    this.values.push(value)
  }
}

/** Weights are those of an edge in the fits, c |e|^2: a long one has the larger say there, and is restored better. */
function addEdges(
  { positions: p, edges: { vertices, weights } }: AcapReference,
  entries: Entries,
  pulls: Float64Array,
): void {
  const ways = Array.from(weights, (_, edge) => way(p, vertices[2 * edge], vertices[2 * edge + 1]))
  const mean = ways.reduce((sum, e) => sum + dot(e, e), 0) / ways.length
  ways.forEach((e, edge) => {
    const weight = weights[edge] * (dot(e, e) / mean + LEAST_SQUARE)
    const [a, b] = [vertices[2 * edge], vertices[2 * edge + 1]]
    entries.add(a, a, weight)
    entries.add(b, b, weight)
    entries.add(a, b, -weight)
    entries.add(b, a, -weight)
    if (a === 0 || b === 0) entries.add(0, 0, weight)
    for (let k = 0; k < 3; k++) {
      pulls[6 * edge + k] += (weight / 2) * e[k]
      pulls[6 * edge + 3 + k] -= (weight / 2) * e[k]
    }
  })
}

function addFits(reference: AcapReference, fitWeight: number, entries: Entries, pulls: Float64Array): void {
  const { positions: p, ring, normals, vertexCount } = reference
  const rings = Array.from({ length: vertexCount }, (): { edge: number; to: number; at: number }[] => [])
  for (let edge = 0; edge < ring.weights.length; edge++) {
    const [a, b] = [ring.vertices[2 * edge], ring.vertices[2 * edge + 1]]
    rings[a].push({ edge, to: b, at: 6 * edge })
    rings[b].push({ edge, to: a, at: 6 * edge + 3 })
  }
  for (let v = 0; v < vertexCount; v++) {
    const normal = [...normals.subarray(3 * v, 3 * v + 3)]
    const ways = rings[v].map(({ to }) => way(p, v, to))
    const weights = rings[v].map(({ edge }) => ring.weights[edge])
    const along = ways.map((e) => e.map((value, k) => value - dot(e, normal) * normal[k]))
    // In units of length, as edges are.
    const total = ways.reduce((sum, e, i) => sum + weights[i] * dot(e, e), 0)
    if (total === 0) continue
    const scale = (fitWeight * ways.reduce((sum, e) => sum + dot(e, e), 0)) / ways.length / total ** 2
    const ends = [...rings[v].map(({ to }) => to), v]
    const factors = along.map((e, i) => e.map((value) => weights[i] * value))
    factors.push([0, 1, 2].map((k) => -factors.reduce((sum, each) => sum + each[k], 0)))
    for (let i = 0; i < ends.length; i++) {
      for (let j = 0; j < ends.length; j++) entries.add(ends[i], ends[j], scale * dot(factors[i], factors[j]))
    }
    rings[v].forEach(({ at }, i) => {
      for (let j = 0; j < ways.length; j++) {
        const share = scale * weights[j] * dot(ways[j], factors[i])
        for (let k = 0; k < 3; k++) pulls[at + k] += share * ways[j][k]
      }
    })
  }
}

function way(p: Float64Array, a: number, b: number): number[] {
  return [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]]
}

function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
