/** Where an object's probes (own-error.ts) are: as the modes of its code carry them. */
import { gatherVertices } from '../mesh/gather-vertices.js'
import type { LinearModes } from '../model/linear-modes.js'
import { type Judged, OwnError } from './own-error.js'

/** @param code of the present pose, whenever it is looked at */
export function linearOwnError({ shape, measured }: Judged<LinearModes>, code: Float64Array): OwnError {
  const { rest, triangles } = shape
  const positions = new Float64Array(rest.length)
  const place = (vertices: Uint32Array, out: Float64Array): void => {
    shape.positions(code, positions)
    gatherVertices(positions, vertices, out)
  }
  return new OwnError(() => ({ positions: rest, triangles }), place, measured)
}
