/** Which pieces of a traced surface bound the body from outside: walls of cavities and crumbs are not wanted. */

import type { TriangleMesh } from 'pliant'
import { connectedPieces, meshVolume } from 'pliant/unstable'
import { InsideShells } from './inside-shells.js'

export interface OuterPieces {
  /** For each triangle, whether it is kept. */
  kept: Uint8Array
  pieces: number
  /** Pieces that face inward: walls of hollows. */
  cavities: number
  /** Pieces within another one, in a hollow that was filled. */
  enclosed: number
  /** Pieces smaller than the given volume. */
  crumbs: number
}

/** @param smallest  volume below which a piece is a crumb [m^3] */
export function findOuterPieces(mesh: TriangleMesh & { positions: Float64Array }, smallest: number): OuterPieces {
  const { positions, triangles } = mesh
  const { pieceCount, pieceOfTriangle } = connectedPieces(triangles, positions.length / 3)
  const lists = Array.from({ length: pieceCount }, () => [] as number[])
  pieceOfTriangle.forEach((piece, t) => {
    lists[piece].push(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2])
  })
  const pieces = lists.map((list, piece) => {
    const own = Uint32Array.from(list)
    return { piece, triangles: own, volume: meshVolume({ positions, triangles: own }) }
  })
  const solid = pieces.filter(({ volume }) => volume > 0).sort((a, b) => b.volume - a.volume)
  const found = { cavities: pieceCount - solid.length, enclosed: 0, crumbs: 0 }
  const outer: typeof solid = []
  for (const one of solid) {
    const v = 3 * one.triangles[0]
    const around = new InsideShells(
      positions,
      outer.map((other) => other.triangles),
    )
    if (around.at(positions[v], positions[v + 1], positions[v + 2])) found.enclosed++
    else if (one.volume < smallest) found.crumbs++
    else outer.push(one)
  }
  const wanted = new Set(outer.map(({ piece }) => piece))
  return {
    ...found,
    pieces: outer.length,
    kept: Uint8Array.from(pieceOfTriangle, (piece) => (wanted.has(piece) ? 1 : 0)),
  }
}
