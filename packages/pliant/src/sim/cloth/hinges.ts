/** Edges of a cloth with the triangles on either side: where it stretches, and across which it bends. */
import { edgeTable } from '../../mesh/adjacency.js'

export interface ClothEdges {
  readonly count: number
  /** Vertices of each edge, two per edge. */
  readonly vertices: Uint32Array
  /** The corners opposite each edge, two per edge; -1 where there is no triangle. */
  readonly opposite: Int32Array
}

/**
 * @param triangles  vertex numbers, three per triangle
 * @throws RangeError if a triangle names a vertex twice or more than two triangles meet at an edge
 */
export function clothEdges(triangles: Uint32Array, vertexCount: number): ClothEdges {
  const table = edgeTable(triangles, vertexCount)
  const opposite = new Int32Array(2 * table.edgeCount).fill(-1)
  for (let corner = 0; corner < triangles.length; corner++) {
    const edge = table.edgeOfCorner[corner]
    if (table.vertices[2 * edge] === table.vertices[2 * edge + 1]) {
      const triangle = Math.trunc(corner / 3)
      throw new RangeError(`cloth: triangle ${triangle} names a vertex twice; remove collapsed triangles.`)
    }
    const apex = triangles[corner - (corner % 3) + ((corner + 2) % 3)]
    const slot = opposite[2 * edge] < 0 ? 2 * edge : 2 * edge + 1
    if (opposite[slot] >= 0) {
      const [a, b] = table.vertices.subarray(2 * edge, 2 * edge + 2)
      throw new RangeError(`cloth: three triangles meet at edge ${a}-${b}; a cloth has two sides at most.`)
    }
    opposite[slot] = apex
  }
  return { count: table.edgeCount, vertices: table.vertices, opposite }
}
