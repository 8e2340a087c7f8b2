/**
 * A field that is an expression of the point: primitives, operations on them, and whatever somebody writes down. Points,
 * batches and boxes are all answered from the one expression.
 */
import type { Box } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { requireQuery } from '../../math/require.js'
import { answerNotFinite } from '../not-finite.js'
import type { SignedField } from '../signed-field.js'
import type { Expression } from './expression.js'
import { tapeOf } from './tape.js'
import { TapeBounds } from './tape-bounds.js'
import { TapeValues } from './tape-values.js'

/** A field of an expression: exact bounds of any box, by interval arithmetic. */
export class ExpressionField implements SignedField {
  readonly #values: TapeValues
  readonly #bounds: TapeBounds

  /**
   * @param expression  signed distance, or a number with its sign, of a point [m]
   * @param slope       most that it changes by per metre of way: 1 of distances; Infinity if it is not known
   * @throws RangeError if it takes more than a million operations
   */
  constructor(
    /** Signed distance of a point [m]. */
    readonly expression: Expression,
    /** Most that it changes by per metre of way. */
    readonly slope = Infinity,
  ) {
    const tape = tapeOf(expression)
    this.#values = new TapeValues(tape)
    this.#bounds = new TapeBounds(tape, this.#values, slope)
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    this.#values.query(points, count, distances, gradients)
    for (let i = 0; i < count; i++) answerNotFinite(points, i, distances, gradients)
  }

  bounds(box: Box): readonly [number, number] | undefined {
    return this.#bounds.of(box)
  }
}
