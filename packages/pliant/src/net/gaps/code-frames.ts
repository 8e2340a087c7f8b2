/** Frames that move with a code, which places of a surface follow: the joints of a character, or what a network says they are. */
import type { Floats } from '../../math/floats.js'

export interface CodeFrames {
  /** Each frame to the root's at the code that was last moved to, column-major 4x4 each. */
  readonly spaces: Float64Array
  /** Moves the frames to a code. */
  moveTo(code: ArrayLike<number>): void
  /**
   * Moves the frames to one code after the other.
   * @param codes  one after the other
   * @param visit  called when they are at the next; may ask for `pullBack` there
   */
  moveThrough(codes: Floats, count: number, visit: (row: number) => void): void
  /**
   * From the gradient of a number by the spaces, laid out as they are, to its gradient by the code that was last moved to.
   * @param bySpaces  is used up
   */
  pullBack(bySpaces: Float64Array, out: Floats): void
  /** Ends helper threads, if there may be any. */
  dispose?(): void
}
