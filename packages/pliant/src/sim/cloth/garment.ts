/** What a garment is: a cloth's rest shape, and the vertices by which the body wears it. */
import type { Floats } from '../../math/floats.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'

export interface Garment {
  /** In the body's rest pose; the rest shape of the `Cloth`. */
  mesh: TriangleMesh
  /** Vertices to `attach`. */
  attached: Uint32Array
  /** Least distance of vertices and face centres from the body [m], measured after fitting. */
  clearance: number
}

/**
 * For each attached vertex the nearest vertex of the body at rest. To move an attachment with a skinned body, skin the
 * garment's own rest position with that vertex's joints and weights: it keeps its place relative to the skin.
 */
export function garmentAnchors({ mesh, attached }: Garment, bodyPositions: Floats): Uint32Array {
  const p = mesh.positions
  return attached.map((vertex) => {
    let nearest = 0
    let least = Infinity
    for (let b = 0; b < bodyPositions.length; b += 3) {
      const squared =
        (bodyPositions[b] - p[3 * vertex]) ** 2 +
        (bodyPositions[b + 1] - p[3 * vertex + 1]) ** 2 +
        (bodyPositions[b + 2] - p[3 * vertex + 2]) ** 2
      if (squared < least) {
        least = squared
        nearest = b / 3
      }
    }
    return nearest
  })
}
