/**
 * Which pairs of triangles may meet at a code, by a search in single precision that leaves out none that meets in doubles
 * (`rounding.ts`). Vertices are moved, every node of the tree of triangles is bounded by slabs along seven directions, and
 * the tree of pairs is gone through; of pairs of triangles whose slabs overlap, those are dropped that a plane keeps
 * apart: one that is parallel to either of them, or stands upright on one of their sides.
 * `scalar-candidates.ts` does it for one code, `wasm/simd-candidates.ts` for four at once, bit for bit the same.
 */
import type { CandidatePlan } from './candidate-plan.js'

export interface CandidateSearch {
  /** Codes that are searched at once. */
  readonly lanes: number
  /** Of each candidate: the numbers of two triangles, and a bit for each lane in which they may meet. */
  readonly found: Int32Array
  /** Moves the body to as many codes as there are lanes, one after the other, all in the box. */
  begin(codes: Float64Array): void
  /**
   * Goes on until there are some candidates.
   * @param alive  a bit for each lane that is still of interest
   * @returns how many are in `found`; 0 at the end
   */
  next(alive: number): number
}

/** Directions of slabs: the axes, then x + y + z, x + y - z, x - y + z, -x + y + z. */
export const SLABS = 7

/** Candidates after which a search pauses: the first may settle the code. */
export const PAUSE = 32

/** Keeps a gap's slack above what products with very small directions lose by underflow, 2^-149 each. */
export const TINY_GAP = 2 ** -100

/** Room that `found` needs: a search pauses only between entries of the tree of pairs. */
export function mostFound({ pairs }: CandidatePlan): number {
  return PAUSE + pairs.mostPairs
}
