/**
 * Signed distance of a body of closed pieces that may overlap: the least over the pieces. Outside it is exact; inside it
 * is a depth that is never too small, where the nearest surface may be hidden in another piece (a doll's arm in its
 * socket) and says nothing.
 */
import { connectedPieces, type Floats, type TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'

export interface RestField {
  evaluate(points: Floats, count: number, out: Floats): void
}

export function restFieldOf(mesh: TriangleMesh): RestField {
  const fields = piecesOf(mesh).map((triangles) => new ExactMeshField({ positions: mesh.positions, triangles }))
  return {
    evaluate(points, count, out) {
      out.fill(Number.POSITIVE_INFINITY, 0, count)
      const own = new Float64Array(count)
      for (const field of fields) {
        field.evaluate(points, count, own)
        for (let i = 0; i < count; i++) out[i] = Math.min(out[i], own[i])
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
