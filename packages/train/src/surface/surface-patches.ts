/** A surface cut into patches of about the same size: each vertex goes with the nearest of some places spread over it. */
import type { TriangleMesh } from 'pliant'
import { SurfaceWays } from './surface-ways.js'

export interface SurfacePatches {
  count: number
  /** Patch of each vertex, and of each triangle: that of most of its corners. */
  ofVertex: Uint16Array
  ofTriangle: Uint16Array
}

/** @param count  patches at most; as many as there are vertices if those are fewer */
export function surfacePatches(mesh: TriangleMesh, count: number): SurfacePatches {
  const { positions, triangles } = mesh
  const vertexCount = positions.length / 3
  const ways = new SurfaceWays(mesh)
  const nearest = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY)
  const ofVertex = new Uint16Array(vertexCount)
  const own = new Float64Array(vertexCount)
  const centres: number[] = []
  for (let next = ways.farthestFrom(0); centres.length < count && nearest[next] > 0; next = farthest(nearest)) {
    ways.distancesFrom(next, own)
    for (let v = 0; v < vertexCount; v++) {
      if (!(own[v] < nearest[v])) continue
      nearest[v] = own[v]
      ofVertex[v] = centres.length
    }
    centres.push(next)
  }
  // Pieces that no centre is left for go with what they are next to.
  for (let v = 0; v < vertexCount; v++) {
    if (nearest[v] === Number.POSITIVE_INFINITY) ofVertex[v] = nearestInSpace(positions, v, centres)
  }
  const ofTriangle = Uint16Array.from({ length: triangles.length / 3 }, (_, triangle) => {
    const [a, b, c] = triangles.subarray(3 * triangle, 3 * triangle + 3)
    return ofVertex[b] === ofVertex[c] ? ofVertex[b] : ofVertex[a]
  })
  return { count: centres.length, ofVertex, ofTriangle }
}

/** The same of the patches of triangles alone: a vertex goes with the first triangle that it is a corner of. */
export function patchesOfTriangles(
  { positions, triangles }: TriangleMesh,
  ofTriangle: Uint16Array,
  count: number,
): SurfacePatches {
  const ofVertex = new Uint16Array(positions.length / 3)
  for (let corner = triangles.length - 1; corner >= 0; corner--) {
    ofVertex[triangles[corner]] = ofTriangle[Math.trunc(corner / 3)]
  }
  return { count, ofVertex, ofTriangle }
}

function farthest(nearest: Float64Array): number {
  let most = 0
  for (let v = 1; v < nearest.length; v++) if (nearest[v] > nearest[most]) most = v
  return most
}

function nearestInSpace(p: ArrayLike<number>, vertex: number, centres: readonly number[]): number {
  const ways = centres.map((centre) =>
    Math.hypot(...[0, 1, 2].map((axis) => p[3 * vertex + axis] - p[3 * centre + axis])),
  )
  return ways.indexOf(Math.min(...ways))
}
