/**
 * The nine channels of a vertex: entries 01, 02, 12 of log R, which is the matrix of the cross
 * product with the rotation vector, so -z, y, -x of it; then S: xx, xy, xz, yy, yz, zz.
 */
import type { Floats } from '../../math/floats.js'

/** Features per vertex, one vertex after the other. */
export const ACAP_CHANNELS = 9
/** The first of these are of the rotation, the others of the stretch. */
export const ACAP_ROTATION_CHANNELS = 3

/** @param vectors  rotation vectors, xyz triples; @param stretches  six numbers per vertex */
export function writeChannels(vectors: Float64Array, stretches: Float64Array, out: Floats): void {
  for (let v = 0, to = 0; to < out.length; v++, to += ACAP_CHANNELS) {
    out[to] = -vectors[3 * v + 2]
    out[to + 1] = vectors[3 * v + 1]
    out[to + 2] = -vectors[3 * v]
    for (let k = 0; k < 6; k++) out[to + 3 + k] = stretches[6 * v + k]
  }
}
