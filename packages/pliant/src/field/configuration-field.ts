/**
 * Code -> signed distance, in the space of codes, to the nearest shape that touches itself: negative where the shape
 * runs into itself. Its gradient is a direction of repair. Systems that learn self-contact (Cai et al.; Tan et al.)
 * give one; so does an exact test, at its own price.
 */
import type { Floats } from '../math/floats.js'

/**
 * From a code to the signed distance, in the space of codes, to the nearest shape that touches itself: negative where
 * the shape runs into itself. Its gradient is a direction of repair.
 */
export interface ConfigurationField {
  /** Length of a code. */
  readonly codeSize: number
  /**
   * Distances, and in the same pass their gradients by the code if there is an array for them.
   * A code with an entry that is NaN or infinite gets NaN; all others are answered as ever.
   * @param codes      one after the other, at least codeSize * count long
   * @param distances  receives `count` distances, in the unit of the code, negative where the shape touches itself
   * @param gradients  receives one vector per code, away from self-contact, at least codeSize * count long
   * @throws RangeError if an array is too short or not of floats, or the count is no whole number
   */
  query(codes: Floats, count: number, distances: Floats, gradients?: Floats): void
}

/** Whether the shape at a code touches itself, exactly. */
export interface ExactTest {
  /**
   * Whether any two parts of the surface that are not neighbours have a point in common.
   * @param code  as many numbers as a code has; not yours to keep
   */
  touches(code: Float64Array): boolean
}
