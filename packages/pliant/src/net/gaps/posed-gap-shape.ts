/**
 * A network from a character's joint code to how far each of some pairs of its parts are apart; it sees, beside the code,
 * gaps between places of the body (gap-shape.ts has the same for bodies that are linear in their code). Ends of gaps are
 * points that follow joints as skin does, so the vector of a gap is a sum over terms, each a point in the space of a joint,
 * weighted:
 *
 *   v_k = sum over terms t of gap k of G_j(t)(q) p_t   (G: joint space to root frame, 3 x 4; p = (x, y, z, w))
 *   g_k = a_k log(|v_k|^2 + e_k^2) + b_k
 *   y_p = dense([q, g])_p                              (one for each pair of parts)
 *   f   = min_p y_p
 *
 * p holds the weight and the sign of its end: x, y, z and w = weight are negative at the second end.
 *
 * Tensors by name, row-major: gap.terms [T, 6], rows of k, j, x, y, z, w, those of one gap together; gap.softening [K], e;
 * gap.scale [K], a; gap.shift [K], b; then those of the dense network.
 */
import { type DenseShape, denseMultiplications, denseTensors } from '../dense/dense-shape.js'
import { denseOfGaps, type GapShape } from './gap-shape.js'

/** Sizes of a network from a joint code to how far pairs of parts of a character are apart. */
export interface PosedGapShape extends GapShape {
  /** How many joints the skeleton has. */
  joints: number
  /** T: points in joint spaces that the ends of all gaps are sums of. */
  terms: number
  /** P: pairs of parts. */
  pairs: number
}

/** The dense network behind the gaps. */
export function denseOfPosedGaps(shape: PosedGapShape): DenseShape {
  return denseOfGaps(shape, shape.pairs)
}

/** Numbers of a term: gap, joint, x, y, z, w. */
export const TERM_SIZE = 6

/** Name -> dimensions of every tensor. */
export function posedGapTensors(shape: PosedGapShape): Map<string, number[]> {
  const { gaps, terms } = shape
  return new Map([
    ['gap.terms', [terms, TERM_SIZE]],
    ['gap.softening', [gaps]],
    ['gap.scale', [gaps]],
    ['gap.shift', [gaps]],
    ...denseTensors(denseOfPosedGaps(shape)),
  ])
}

/** The first term that names a gap or joint that is not there, or -1. @param rows  gap.terms */
export function wrongTerm({ gaps, joints, terms }: PosedGapShape, rows: Float32Array): number {
  const isIndex = (value: number, count: number): boolean => Number.isInteger(value) && value >= 0 && value < count
  for (let t = 0; t < terms; t++) {
    if (!(isIndex(rows[TERM_SIZE * t], gaps) && isIndex(rows[TERM_SIZE * t + 1], joints))) return t
  }
  return -1
}

/** Multiplications of one value, without those of the joints. */
export function posedGapMultiplications(shape: PosedGapShape): number {
  return 12 * shape.terms + 5 * shape.gaps + denseMultiplications(denseOfPosedGaps(shape))
}
