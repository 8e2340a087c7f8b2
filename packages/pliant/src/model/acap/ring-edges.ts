/**
 * The edges over which ACAP features are fitted and put together again, with softened cotangent weights:
 * c = sqrt(s((cot a + cot b) / 2)), s(x) = e^x up to 0 and 1 + x above. Always positive, where plain cotangents
 * are negative on one edge in seven, so that the system of the inverse stays positive definite.
 *
 * An edge of one triangle (an open border) has one cotangent, an edge of three or more (not manifold) the sum of all.
 */
import { edgeTable } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'

export interface WeightedEdges {
  /** Vertices of each edge, two per edge. */
  vertices: Uint32Array
  weights: Float64Array
}

/** Cotangents are cut off here, at angles of 3 degrees: slivers would outweigh, or lose, all else around them. */
const LARGEST_COTANGENT = 20

/**
 * The edges of a mesh's triangles, each once. A corner between sides without length or direction counts as a right
 * angle; sides from a vertex to itself are no edges.
 */
export function ringEdges({ positions, triangles }: TriangleMesh): WeightedEdges {
  const table = edgeTable(triangles, positions.length / 3)
  const cotangents = new Float64Array(table.edgeCount)
  for (let corner = 0; corner < triangles.length; corner++) {
    const first = corner - (corner % 3)
    const next = first + ((corner + 1) % 3)
    const last = first + ((corner + 2) % 3)
    // The side from the next corner to the last lies opposite.
    cotangents[table.edgeOfCorner[next]] += cotangent(positions, triangles[corner], triangles[next], triangles[last])
  }
  const real = Array.from(cotangents.keys()).filter((e) => table.vertices[2 * e] !== table.vertices[2 * e + 1])
  return {
    vertices: Uint32Array.from(real.flatMap((e) => [table.vertices[2 * e], table.vertices[2 * e + 1]])),
    weights: Float64Array.from(real, (e) => Math.sqrt(softened(cotangents[e] / 2))),
  }
}

function softened(x: number): number {
  return x <= 0 ? Math.exp(x) : 1 + x
}

/** Of the angle at vertex a between b and c. */
function cotangent(p: ArrayLike<number>, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k])
  const [vx, vy, vz] = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k])
  const dot = ux * vx + uy * vy + uz * vz
  const cross = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)
  if (dot === 0) return 0
  return Math.max(-LARGEST_COTANGENT, Math.min(LARGEST_COTANGENT, dot / cross))
}
