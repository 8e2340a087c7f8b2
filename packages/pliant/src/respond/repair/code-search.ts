/**
 * What a search for free codes asks: the field's distance and gradient at a code, and the exact test, counted. Codes are
 * kept in the precision that the answer will have, so that what was tested is what is handed back.
 */
import type { ConfigurationField, ExactTest } from '../../field/configuration-field.js'
import type { Floats } from '../../math/floats.js'

/** A box of codes. */
export interface CodeBox {
  /** Lower end of each entry. */
  readonly lower: ArrayLike<number>
  /** Upper end of each. */
  readonly upper: ArrayLike<number>
}

/** Steps along the gradient aim this far [unit of the code] beyond the distance that they want: a step falls short. */
const AIM = 1e-4

/** Steps along the gradient, and the longest of them [unit of the code]: deep inside, far steps lead anywhere. */
const STEPS = 24
const LONGEST = 0.25

/** Share of the box by which a code in single precision may lie outside it without being told so. */
const ROUNDING = 1e-6

export class CodeSearch {
  /** Exact tests asked. */
  tests = 0
  /** Codes below this distance count as touching, whatever the exact test would say. */
  floor = 0
  readonly #one = new Float64Array(1)
  readonly #gradient: Float64Array
  readonly #code: Float64Array

  constructor(
    readonly field: ConfigurationField,
    readonly exact: ExactTest | undefined,
    readonly box: CodeBox | undefined,
    /** Exact tests that there are in all. */
    readonly most: number,
  ) {
    this.#gradient = new Float64Array(field.codeSize)
    this.#code = new Float64Array(field.codeSize)
  }

  get hasTestsLeft(): boolean {
    return this.tests < this.most
  }

  /** The gradient that `measure` found last. */
  get gradient(): Float64Array {
    return this.#gradient
  }

  /** The field's distance at a code; its gradient is then in `gradient`. */
  measure(code: Floats): number {
    this.field.query(code, 1, this.#one, this.#gradient)
    return this.#one[0]
  }

  /** By the exact test; without one, nothing touches that the field calls free. */
  touches(code: Floats): boolean {
    if (!this.exact) return false
    this.#code.set(code)
    this.tests++
    return this.exact.touches(this.#code)
  }

  /** Far enough from self-contact by the field, and free by the exact test, which is asked only then. */
  isFree(code: Floats): boolean {
    return this.measure(code) >= this.floor && !this.touches(code)
  }

  /** Puts a code into the box. @returns whether it was outside by more than rounding */
  clamp(code: Floats): boolean {
    if (!this.box) return false
    const { lower, upper } = this.box
    let outside = false
    for (let k = 0; k < code.length; k++) {
      const inside = Math.min(Math.max(code[k], lower[k]), upper[k])
      if (Math.abs(code[k] - inside) > ROUNDING * (upper[k] - lower[k])) outside = true
      code[k] = inside
    }
    return outside
  }

  /**
   * Newton steps along the gradient, within the box, until the field says a distance or more.
   * @param code  is moved
   * @returns whether it got there
   */
  climb(code: Floats, distance: number): boolean {
    for (let step = 0; step < STEPS; step++) {
      const gap = distance - this.measure(code)
      if (gap <= 0) return true
      const square = this.#leaveOutBlocked(code)
      if (!(square > 0 && square < Infinity)) return false
      const length = Math.min((gap + AIM) / square, LONGEST / Math.sqrt(square))
      for (let k = 0; k < code.length; k++) code[k] += length * this.#gradient[k]
      this.clamp(code)
    }
    return this.measure(code) >= distance
  }

  /** Takes out of the gradient what leads out of the box. @returns its squared length */
  #leaveOutBlocked(code: Floats): number {
    const g = this.#gradient
    let square = 0
    for (let k = 0; k < g.length; k++) {
      const { lower = undefined, upper = undefined } = this.box ?? {}
      if (lower && upper && (g[k] < 0 ? code[k] <= lower[k] : code[k] >= upper[k])) g[k] = 0
      square += g[k] * g[k]
    }
    return square
  }
}
