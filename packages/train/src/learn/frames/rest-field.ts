/**
 * Signed distance of a body of closed pieces that may overlap: the least over the pieces. Outside it is exact; inside it
 * is a depth that is never too small, where the nearest surface may be hidden in another piece (a doll's arm in its
 * socket) and says nothing.
 */

import type { Floats, TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { connectedPieces } from 'pliant/unstable'

export interface RestField {
  query(points: Floats, count: number, distances: Floats): void
}

export function restFieldOf(mesh: TriangleMesh): RestField {
  const fields = piecesOf(mesh).map((triangles) => new ExactMeshField({ positions: mesh.positions, triangles }))
  return {
    query(points, count, distances) {
      distances.fill(Number.POSITIVE_INFINITY, 0, count)
      const own = new Float64Array(count)
      for (const field of fields) {
        field.query(points, count, own)
        for (let i = 0; i < count; i++) distances[i] = Math.min(distances[i], own[i])
      }
    },
  }
}

function piecesOf({ positions, triangles }: TriangleMesh): Uint32Array[] {
  const { pieceCount, pieceOfTriangle } = connectedPieces(triangles, positions.length / 3)
  const pieces = Array.from({ length: pieceCount }, () => [] as number[])
  pieceOfTriangle.forEach((piece, t) => {
    pieces[piece].push(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2])
  })
  return pieces.map((piece) => Uint32Array.from(piece))
}
