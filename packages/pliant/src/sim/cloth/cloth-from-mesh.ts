/** A garment from any triangle mesh in the rest pose, for example one that `pliant/files` read from OBJ or glTF. */
import { edgeTable } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { weldMesh } from '../../mesh/weld.js'
import { triangleArea } from './bend.js'

/** A mesh made fit to be cloth. */
export interface ClothFromMesh {
  /** The mesh that `Cloth` takes. */
  mesh: TriangleMesh
  /** For each vertex of the input its vertex in the cloth, or -1 where it belonged to dropped triangles alone. */
  vertexMap: Int32Array
  /** Triangles left out: without area, or beyond two at an edge. */
  dropped: number
}

/**
 * Welds what texture seams and STL split, drops triangles that cannot be cloth, and numbers the vertices that are left
 * in order, so that `Cloth` accepts the result.
 * @throws RangeError if nothing is left
 */
export function clothFromMesh(mesh: TriangleMesh): ClothFromMesh {
  const welded = weldMesh(mesh)
  const { positions, triangles } = welded.mesh
  const vertexCount = positions.length / 3
  const edges = edgeTable(triangles, vertexCount)
  const sides = new Uint8Array(edges.edgeCount)
  const numbers = new Int32Array(vertexCount).fill(-1)
  const kept: number[] = []
  const coordinates: number[] = []
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3)
    const around = edges.edgeOfCorner.subarray(i, i + 3)
    if (!(triangleArea(positions, a, b, c) > 0) || around.some((edge) => sides[edge] === 2)) continue
    for (const edge of around) sides[edge]++
    for (const v of [a, b, c]) {
      if (numbers[v] < 0) {
        numbers[v] = coordinates.length / 3
        coordinates.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
      }
      kept.push(numbers[v])
    }
  }
  if (kept.length === 0) {
    throw new RangeError(`cloth: none of ${triangles.length / 3} triangles has any area; give the garment's surface.`)
  }
  return {
    mesh: { positions: Float64Array.from(coordinates), triangles: Uint32Array.from(kept) },
    vertexMap: Int32Array.from(welded.vertexMap, (v) => numbers[v]),
    dropped: (triangles.length - kept.length) / 3,
  }
}
