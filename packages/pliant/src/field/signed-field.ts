/**
 * Point -> signed distance: one of the two joints that hold Pliant together (the other is `ReducedModel`).
 * Exact meshes, primitives, voxel grids and networks all implement it, so that every baseline is a drop-in.
 */
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'

export interface SignedField {
  /**
   * A point with a coordinate that is NaN or infinite gets NaN, its gradient too; all others are answered as ever.
   * @param points  xyz triples [m] in the field's frame, at least 3 * count long
   * @param out     receives `count` distances [m], negative inside
   * @throws RangeError if an array is too short or not of floats, or the count is no whole number
   */
  evaluate(points: Floats, count: number, out: Floats): void
  /**
   * Distances and their gradients (pointing outward) in one pass.
   * @param outGradients receives xyz triples, at least 3 * count long
   */
  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void
  /** Lower and upper bound of the field over a box, or undefined where the field cannot promise any. */
  bounds(box: Box): readonly [number, number] | undefined
}

/** A field of an object that bends: pose it once, then query it many times. */
export interface PosedField extends SignedField {
  readonly codeSize: number
  /** Does all the work that depends on the code alone. Queries answer for the last pose. */
  pose(code: ArrayLike<number>): void
}
