/** What a search for the boundary between free codes and touching ones asks of an exact test, however codes make shapes. */
import type { Floats } from '../../math/floats.js'

export interface ContactTest {
  readonly codeSize: number
  /** Box of the codes. */
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** How often it was asked: exact tests are what labels cost. */
  readonly tests: number
  /** Whether the shape at a code touches itself. */
  touches(code: ArrayLike<number>): boolean
  /**
   * The same for many codes.
   * @param codes  one after the other, `count` of them
   * @param out    receives 1 for a code that touches itself, 0 for a free one
   */
  touchesAll(codes: Floats, count: number, out: Int8Array): void
  /** All pairs of triangles that meet at a code, two numbers each. */
  meetingPairs(code: ArrayLike<number>): ArrayLike<number>
  /** Asks for no answer: what follows is asked at this code. */
  moveTo(code: ArrayLike<number>): void
  /** Whether two triangles, by their numbers, meet at the code that was last asked alone. */
  pairMeets(a: number, b: number): boolean
  /** @param out  receives the corners of two triangles at that code, xyz triples [m] */
  writeCorners(a: number, b: number, out: Float64Array): void
  /**
   * How fast the point w0 x0 + w1 x1 + w2 x2 of one triangle moves along a direction away from the same point of another,
   * by the code.
   * @param weights    of the corners of the first, then of the second
   * @param direction  from the second to the first, three numbers
   * @param out        receives a number for each entry of the code
   */
  writeSlope(a: number, b: number, weights: Float64Array, direction: ArrayLike<number>, out: Float64Array): void
}
