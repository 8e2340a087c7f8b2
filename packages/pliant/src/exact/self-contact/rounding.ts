/**
 * How far computed positions of x0 + U q are from each other in double and in single precision. A search in single
 * precision may rule out only what doubles would find apart too, so what rounding can do is bounded here, once per shape.
 *
 * Single precision works on x' = (x - centre) / size with codes q'_k = q_k / h_k, where h_k is the largest |q_k| of the
 * box. The size is the largest |x0 - centre| + sum_k h_k |U_k| of any coordinate, so no x', and no part of the sum that it
 * is, exceeds 1: nothing overflows, whatever the unit, and what underflows is 1e-38 of the size.
 */
import { boxCentre, boxOfPoints } from '../../math/box.js'
import type { LinearShape } from './linear-shape.js'

/** Half of the distance from 1 to the next number. */
const DOUBLE = 2 ** -53
const SINGLE = 2 ** -24

export interface Rounding {
  centre: readonly [number, number, number]
  /** What positions are divided by [m]. */
  size: number
  /** What codes are divided by: h. */
  codeSizes: Float64Array
  /** How far a coordinate in doubles may be from the true one [m]. */
  double: number
  /** How far x' in single precision may be from that of the position in doubles. */
  single: number
  /**
   * By how much slabs of x' along sums of up to three coordinates, computed in single precision, must be wider on
   * either side to hold the position in doubles.
   */
  slabSlack: number
  /** Two sets are apart along a direction n if their values n . x' are by more than this times |nx| + |ny| + |nz|. */
  gapSlack: number
}

export function roundingOf({ rest, modes, bounds: { lower, upper } }: LinearShape): Rounding {
  const terms = lower.length
  const centre = boxCentre(boxOfPoints(rest))
  const codeSizes = Float64Array.from(lower, (low, k) => Math.max(Math.abs(low), Math.abs(upper[k])) || 1)
  let size = 0
  let farthest = 0
  for (let i = 0; i < rest.length; i++) {
    let reach = 0
    for (let k = 0; k < terms; k++) reach += codeSizes[k] * Math.abs(modes[k * rest.length + i])
    size = Math.max(size, Math.abs(rest[i] - centre[i % 3]) + reach)
    farthest = Math.max(farthest, Math.abs(rest[i]) + reach)
  }
  size = size || 1
  // Each product is rounded once, each partial sum once: at most terms + 1 roundings of each part.
  const double = (terms + 2) * DOUBLE * farthest
  // Each part of the sum is rounded three times (mode, code, product), and once for each sum that follows: at most
  // terms + 3 times. One more covers second order, the doubles it all is made from, and underflow.
  const single = (terms + 4) * SINGLE + double / size
  return {
    centre,
    size,
    codeSizes,
    double,
    single,
    // x + y is rounded by 2 units, (x + y) + z by 3 and the widening itself by 4, since no sum exceeds 3; 12 leave room.
    slabSlack: 3 * single + 12 * SINGLE,
    // n . x is off by the coordinates and by 3 roundings of its products and sums, on both sides: 2 single + 6 units.
    // The rest is for the difference and for the product with |n|.
    gapSlack: 2 * single + 12 * SINGLE,
  }
}
