/** A garment from a mesh that was modelled on the body at rest, such as an OBJ or glTF file holds it. */

import type { SignedField } from '../../field/signed-field.js'
import { edgeTable } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { clothFromMesh } from './cloth-from-mesh.js'
import type { Garment } from './garment.js'
import { PUSH_DEFAULTS, pushOutside } from './push-outside.js'

/** How a modelled garment is worn. */
export interface GarmentFromMeshOptions {
  /** Vertices of the mesh by which it is worn. Default: those of its rims that lie within `grip` of the body. */
  attached?: ArrayLike<number>
  /** Distance from the body within which rims hold on to it [m]. */
  grip?: number
  /** Distance from the body that vertices and face centres are moved out to [m]. */
  clearance?: number
}
/** Two fingers: a waistband or a collar is nearer to the skin than that, a hem is not. */
export const GARMENT_FROM_MESH_DEFAULTS = { grip: 0.03, clearance: PUSH_DEFAULTS.clearance } as const

/**
 * A garment from a mesh that was modelled on the body at rest, such as an OBJ or glTF file holds it.
 * @param field  the body in its rest pose
 * @param mesh      in the body's frame [m]
 * @throws RangeError if no triangle has any area, an attached vertex is not there, or nothing would hold the garment
 */
export function garmentFromMesh(field: SignedField, mesh: TriangleMesh, options: GarmentFromMeshOptions = {}): Garment {
  const { grip, clearance } = { ...GARMENT_FROM_MESH_DEFAULTS, ...options }
  const made = clothFromMesh(mesh)
  const reached = pushOutside(made.mesh, field, { clearance })
  const attached = options.attached
    ? Array.from(options.attached, (vertex) => made.vertexMap[vertex] ?? -1)
    : rimNear(made.mesh, field, grip)
  if (attached.some((vertex) => vertex < 0)) {
    throw new RangeError('garment: an attached vertex belongs to no triangle of any area; choose another.')
  }
  if (attached.length === 0) {
    throw new RangeError(`garment: no rim lies within ${grip} m of the body; name the vertices that are attached.`)
  }
  return { mesh: made.mesh, attached: Uint32Array.from(new Set(attached)), clearance: reached }
}

/** Vertices of open edges that are near the body. */
function rimNear({ positions, triangles }: TriangleMesh, field: SignedField, grip: number): number[] {
  const count = positions.length / 3
  const { vertices, forward, backward, edgeCount } = edgeTable(triangles, count)
  const rim = new Set<number>()
  for (let edge = 0; edge < edgeCount; edge++) {
    if (forward[edge] + backward[edge] === 1) rim.add(vertices[2 * edge]).add(vertices[2 * edge + 1])
  }
  const distances = new Float64Array(count)
  field.query(positions, count, distances)
  return [...rim].filter((vertex) => distances[vertex] <= grip).sort((a, b) => a - b)
}
