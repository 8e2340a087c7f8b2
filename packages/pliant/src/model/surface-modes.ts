/** The surface of a body of tetrahedra as a model of its own: what is drawn, and what exact tests look at. */
import { gatherVertices } from '../mesh/gather-vertices.js'
import type { TetSurface } from '../mesh/tet-mesh.js'
import { LinearModes } from './linear-modes.js'

/**
 * @param body     rest positions [m] of all nodes, and displacement fields of all nodes one after the other
 * @param surface  of `surfaceOfTets`
 * @param bounds   range of the code in use
 */
export function surfaceModes(
  { rest, modes }: { rest: Float64Array; modes: Float64Array },
  { nodeOfVertex, triangles }: Pick<TetSurface, 'nodeOfVertex' | 'triangles'>,
  bounds: { lower: Float64Array; upper: Float64Array },
): LinearModes {
  const length = 3 * nodeOfVertex.length
  const count = modes.length / rest.length
  const taken = { rest: new Float64Array(length), modes: new Float64Array(count * length) }
  gatherVertices(rest, nodeOfVertex, taken.rest)
  for (let mode = 0; mode < count; mode++) {
    const field = modes.subarray(mode * rest.length, (mode + 1) * rest.length)
    gatherVertices(field, nodeOfVertex, taken.modes.subarray(mode * length))
  }
  return new LinearModes({ ...taken, triangles, bounds })
}
