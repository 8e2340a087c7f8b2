/**
 * What a field asks of a surface, for a block of points at a time: which triangle is nearest, and how often the surface
 * winds round. By kernels (`wasm/simd-points.ts`) where the host runs them, else in plain code (`scalar-points.ts`): the
 * same answers to the last bit.
 */
import type { Floats } from '../math/floats.js'
import type { TriangleTree } from './triangle-tree.js'

/** Points that are asked for at a time: what they and their answers take stays in the fastest cache. */
export const BLOCK = 256

/** What a winding number is before it is asked for, and a slot where no triangle is within the limit. */
export const ASKED = 0x7fffffff
export const NO_SLOT = -1

export interface PointSearch {
  /** Points of a block [m], xyz triples; written by who asks. */
  readonly points: Float64Array
  /** Receives the slot of the nearest triangle of each point, `NO_SLOT` if none is within the limit. */
  readonly slots: Int32Array
  /** Receives winding numbers of those points for which it is `ASKED`. */
  readonly windings: Int32Array
  /** Of the surface's box [m]. */
  readonly diagonal: number
  /** Whether the volume, of closed surfaces, is not negative. */
  readonly facesOutward: boolean
  /**
   * Moves the surface: the same vertices at new positions.
   * @throws RangeError if the number of positions differs, or naming one that is not finite; nothing has moved then
   */
  refit(positions: Floats): void
  /**
   * Of several triangles at the same distance, as `closestOnTriangle` tells it, the one in the lowest slot.
   * @param limitSquared  triangles this far or further are not looked for [m^2]
   */
  nearest(count: number, limitSquared: number): void
  /** Only of closed surfaces, and of points that are finite. */
  wind(count: number): void
  /** The surface's tree, where it is now. */
  fittedTree(): TriangleTree
}
