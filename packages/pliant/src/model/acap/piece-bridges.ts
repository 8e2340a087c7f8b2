/**
 * Edges that tie the pieces of a surface together. Features say how each one-ring is turned and stretched, so nothing in
 * them tells where one piece is from another: eyes from their head, a button from its shirt. Each piece therefore hangs on
 * the vertex of another that was nearest at rest, by an edge that turns and stretches with its two ends.
 */
import { connectedPieces } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import type { WeightedEdges } from './ring-edges.js'

/** Bridges are a tree, so the inverse keeps to each of them exactly, whatever its weight. */
const BRIDGE_WEIGHT = 1

/** As many edges as make the pieces one: always the shortest that leads out of what is joined, from vertex 0's piece on. */
export function pieceBridges({ positions, triangles }: TriangleMesh): WeightedEdges {
  const vertexCount = positions.length / 3
  const { pieceCount, pieceOfTriangle } = connectedPieces(triangles, vertexCount)
  const vertices = new Uint32Array(2 * (pieceCount - 1))
  const weights = new Float64Array(pieceCount - 1).fill(BRIDGE_WEIGHT)
  if (pieceCount === 1) return { vertices, weights }

  const pieceOf = new Uint32Array(vertexCount)
  for (let corner = 0; corner < triangles.length; corner++) {
    pieceOf[triangles[corner]] = pieceOfTriangle[Math.trunc(corner / 3)]
  }
  const members = Array.from({ length: pieceCount }, (): number[] => [])
  pieceOf.forEach((piece, v) => void members[piece].push(v))
  // Of each vertex outside: the nearest of those that are joined, and how far it is, squared.
  const nearest = new Uint32Array(vertexCount)
  const distances = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY)
  const outside = new Set(members.keys())
  const join = (piece: number): void => {
    outside.delete(piece)
    for (const other of outside) {
      for (const v of members[other]) {
        for (const u of members[piece]) {
          const x = positions[3 * u] - positions[3 * v]
          const y = positions[3 * u + 1] - positions[3 * v + 1]
          const z = positions[3 * u + 2] - positions[3 * v + 2]
          const distance = x * x + y * y + z * z
          if (distance >= distances[v]) continue
          distances[v] = distance
          nearest[v] = u
        }
      }
    }
  }
  join(pieceOf[0])
  for (let bridge = 0; bridge < weights.length; bridge++) {
    let end = -1
    for (const piece of outside) for (const v of members[piece]) if (end < 0 || distances[v] < distances[end]) end = v
    vertices[2 * bridge] = nearest[end]
    vertices[2 * bridge + 1] = end
    join(pieceOf[end])
  }
  return { vertices, weights }
}
