/**
 * What a tape's value can be over a box, three ways, of which the tightest at either end counts:
 *
 * - interval arithmetic, step by step (Liu et al., section 3): tight for small expressions, loose where a coordinate is
 *   used often;
 * - where the slope of the whole is known, as of distances, which change by no more than the way: the value in the middle,
 *   and half the diagonal to either side;
 * - else the mean value form: the value in the middle, and half the box times what the gradient can be, by intervals in
 *   reverse. It gains with the square of the box's size.
 */
import type { Box } from '../../math/box.js'
import { boxCentre, boxDiagonal } from '../../math/box.js'
import { multiplied, Range } from './range.js'
import type { Tape } from './tape.js'
import type { TapeValues } from './tape-values.js'

const NONE = new Range()

export class TapeBounds {
  readonly #tape: Tape
  readonly #values: TapeValues
  readonly #slope: number
  readonly #ranges: readonly Range[]
  readonly #by: readonly Range[]
  readonly #slopes = [new Range(), new Range(), new Range()]
  readonly #share = new Range()
  readonly #middle = new Float64Array(1)

  /** @param slope  most that values change by per metre; Infinity if it is not known */
  constructor(tape: Tape, values: TapeValues, slope: number) {
    this.#tape = tape
    this.#values = values
    this.#slope = slope
    this.#ranges = Array.from({ length: tape.registers }, () => new Range())
    this.#by = this.#ranges.map(() => new Range())
    tape.constants.forEach((value, i) => {
      this.#ranges[3 + i].set(value, value)
    })
  }

  /** @returns undefined if the box is none, or nothing can be promised over it */
  of(box: Box): readonly [number, number] | undefined {
    for (let axis = 0; axis < 3; axis++) {
      if (!(box.lower[axis] <= box.upper[axis])) return undefined
      this.#ranges[axis].set(box.lower[axis], box.upper[axis])
    }
    for (const { operation, inputs, out } of this.#tape.steps) {
      const ranges = this.#ranges
      const b = inputs.length > 1 ? ranges[inputs[1]] : NONE
      const c = inputs.length > 2 ? ranges[inputs[2]] : NONE
      operation.bounds(ranges[out], ranges[inputs[0]], b, c)
    }
    const result = this.#ranges[this.#tape.result]
    const low = Number.isNaN(result.low) ? -Infinity : result.low
    const high = Number.isNaN(result.high) ? Infinity : result.high
    const reach = this.#slope < Infinity ? (this.#slope * boxDiagonal(box)) / 2 : this.#reachBySlopes(box)
    // Boxes that are not finite have no middle.
    if (!(reach < Infinity)) return low === -Infinity && high === Infinity ? undefined : [low, high]
    this.#values.query(Float64Array.from(boxCentre(box)), 1, this.#middle)
    const slack = 1e-13 * (Math.abs(this.#middle[0]) + reach + largest(box))
    return [Math.max(low, this.#middle[0] - reach - slack), Math.min(high, this.#middle[0] + reach + slack)]
  }

  /** Sum over axes of what the gradient is at most, times half the box. */
  #reachBySlopes(box: Box): number {
    const { steps, result } = this.#tape
    for (const by of this.#by) by.set(0, 0)
    this.#by[result].set(1, 1)
    for (let i = steps.length - 1; i >= 0; i--) {
      const { operation, inputs, out } = steps[i]
      const by = this.#by[out]
      if (by.low === 0 && by.high === 0) continue
      const ranges = inputs.map((input) => this.#ranges[input])
      operation.slopes(this.#ranges[out], ranges, this.#slopes)
      inputs.forEach((input, k) => {
        multiplied(by, this.#slopes[k], this.#share)
        this.#by[input].set(this.#by[input].low + this.#share.low, this.#by[input].high + this.#share.high)
      })
    }
    let reach = 0
    for (let axis = 0; axis < 3; axis++) {
      const { low, high } = this.#by[axis]
      const half = (box.upper[axis] - box.lower[axis]) / 2
      if (half > 0) reach += half * Math.max(-low, high)
    }
    return Number.isNaN(reach) ? Infinity : reach
  }
}

function largest({ lower, upper }: Box): number {
  return Math.max(...lower.map(Math.abs), ...upper.map(Math.abs))
}
