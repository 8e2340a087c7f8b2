/**
 * How pairs of triangles that meet are looked for: `ScalarPairs` goes through a tree of exact boxes, `SimdPairs` through
 * one in single precision by kernels. Both find the same pairs, in an order of their own.
 */
import type { Floats } from '../../math/floats.js'
import type { OnProgress } from '../../math/progress.js'

export interface PairSearch {
  /**
   * Moves the surface: the same vertices at new positions [m].
   * @throws RangeError if their number differs or one is not finite; nothing has moved then
   */
  moveTo(positions: Floats): void
  /**
   * All pairs that meet, but for those that a rule leaves alone.
   * @param meet  receives each; the search ends when it says false
   */
  search(meet: Meeting, onProgress?: OnProgress): void
  /** Where the corners of a triangle are: nine numbers of `out`, from `at` [m]. */
  writeCorners(triangle: number, out: Float64Array, at: number): void
}

/** Receives the numbers of two triangles; says whether to look for more. */
export type Meeting = (a: number, b: number) => boolean
