import type { Floats } from '../math/floats.js'

/** Positions [m] of some vertices among those of all, xyz triples, in the order in which they are named. */
export function gatherVertices(positions: Floats, vertices: Uint32Array, out: Floats): void {
  for (let i = 0, to = 0; i < vertices.length; i++, to += 3) {
    const at = 3 * vertices[i]
    out[to] = positions[at]
    out[to + 1] = positions[at + 1]
    out[to + 2] = positions[at + 2]
  }
}
