/** What a garment is: a cloth's rest shape, and the vertices by which the body wears it. */
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'

/** A cloth's rest shape, and the vertices by which the body wears it. */
export interface Garment {
  /** In the body's rest pose; the rest shape of the `Cloth`. */
  mesh: TriangleMesh
  /** Vertices to `attach`. */
  attached: Uint32Array
  /** Least distance of vertices and face centres from the body [m], measured after fitting. */
  clearance: number
}

/** Several as one, such as a pair of sleeves. */
export function joinGarments(garments: readonly Garment[]): Garment {
  const positions = new Float64Array(garments.reduce((sum, { mesh }) => sum + mesh.positions.length, 0))
  const triangles: number[] = []
  const attached: number[] = []
  let start = 0
  for (const garment of garments) {
    positions.set(garment.mesh.positions, 3 * start)
    for (const vertex of garment.mesh.triangles) triangles.push(start + vertex)
    for (const vertex of garment.attached) attached.push(start + vertex)
    start += garment.mesh.positions.length / 3
  }
  return {
    mesh: { positions, triangles: Uint32Array.from(triangles) },
    attached: Uint32Array.from(attached),
    clearance: Math.min(...garments.map(({ clearance }) => clearance)),
  }
}
