/** Frames that move with a code, which places of a surface follow: the joints of a character, or what a network says they are. */
import type { Floats } from '../../math/floats.js'

/**
 * @param row       which code they are at
 * @param bySpaces  zeros, laid out as the spaces: receives the gradient of a number by them, if that is asked for
 */
export type VisitFrames = (row: number, bySpaces?: Float64Array) => void

export interface CodeFrames {
  /** Each frame to the root's at the code that was last moved to, column-major 4x4 each. */
  readonly spaces: Float64Array
  /** Moves the frames to a code. */
  moveTo(code: ArrayLike<number>): void
  /**
   * Moves the frames to one code after the other.
   * @param codes      one after the other
   * @param visit      called when they are at the next
   * @param gradients  receives gradients of what `visit` tells by the codes
   */
  moveThrough(codes: Floats, count: number, visit: VisitFrames, gradients?: Floats): void
  /**
   * From the gradient of a number by the spaces, laid out as they are, to its gradient by the code that was given to `moveTo`
   * last.
   * @param bySpaces  is used up
   */
  pullBack(bySpaces: Float64Array, out: Floats): void
}
