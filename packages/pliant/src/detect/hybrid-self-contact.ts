/**
 * Whether codes touch themselves, by a learned field where it is sure and by an exact test where it is not: within
 * |f| < tau the exact test decides. How often the rest is wrong was measured when the file was evaluated
 * (`quality.hybrid`), and `chooseTau` takes the least tau that keeps a promise.
 */
import type { HybridRow } from '../artifact/self-contact-quality.js'
import type { ConfigurationField, ExactTest } from '../field/configuration-field.js'
import type { Floats } from '../math/floats.js'
import { shown } from '../math/require.js'

/** A field over codes that may know which codes it was trained on; `SelfContactField` does. */
export interface BoxedConfigurationField extends ConfigurationField {
  /** Box of codes that was trained. */
  readonly bounds?: { readonly lower: ArrayLike<number>; readonly upper: ArrayLike<number> }
}

/** When the exact test is asked. */
export interface HybridOptions {
  /** Codes whose distance is smaller than this, in the unit of the code, go to the exact test; zero or more. */
  tau: number
}

/** Codes that are asked of the field at a time. */
const CHUNK = 256

/** A learned field that asks an exact test where it is not sure. */
export class HybridSelfContact {
  /** Codes whose distance is smaller than this go to the exact test. */
  readonly tau: number
  /** How often the exact test was asked; yours to set back. */
  exactTests = 0
  /** What answers where it is sure. */
  readonly field: BoxedConfigurationField
  /** What decides elsewhere. */
  readonly exact: ExactTest
  readonly #code: Float64Array
  readonly #distances = new Float64Array(CHUNK)

  /**
   * @param exact  such as `exactSelfContact` of pliant/exact makes of the file's model
   * @throws RangeError if tau is no number from 0 up
   */
  constructor(field: BoxedConfigurationField, exact: ExactTest, { tau }: HybridOptions) {
    if (!(typeof tau === 'number' && tau >= 0)) {
      throw new RangeError(`hybrid self-contact: tau is ${shown(tau)}; give zero or more.`)
    }
    this.field = field
    this.exact = exact
    this.tau = tau
    this.#code = new Float64Array(field.codeSize)
  }

  /**
   * Codes outside the field's box, where it was not trained, all go to the exact test.
   * @param codes  one after the other, at least codeSize * count long
   * @param out    receives 1 for a code that touches itself, 0 for a free one
   * @throws RangeError if an array is too short or the count no whole number, or what the exact test throws of a code that
   *   is not finite
   */
  touches(codes: Floats, count: number, out: Uint8Array): void {
    if (!(out instanceof Uint8Array && out.length >= count)) {
      throw new RangeError(`hybrid self-contact: out is ${shown(out)}; ${count} codes need ${count} in a Uint8Array.`)
    }
    const { codeSize } = this.field
    for (let first = 0; first < count; first += CHUNK) {
      const rows = Math.min(CHUNK, count - first)
      this.field.query(codes.subarray(first * codeSize), rows, this.#distances)
      for (let row = 0; row < rows; row++) {
        const at = (first + row) * codeSize
        for (let k = 0; k < codeSize; k++) this.#code[k] = codes[at + k]
        out[first + row] = this.#touches(this.#distances[row]) ? 1 : 0
      }
    }
  }

  #touches(distance: number): boolean {
    // Written so that a distance that is no number goes to the exact test, too.
    const isSure = Math.abs(distance) >= this.tau
    if (isSure && isInBox(this.#code, this.field.bounds)) return distance < 0
    this.exactTests++
    return this.exact.touches(this.#code)
  }
}

function isInBox(code: Float64Array, bounds: BoxedConfigurationField['bounds']): boolean {
  if (!bounds) return true
  for (let k = 0; k < code.length; k++) {
    if (!(code[k] >= bounds.lower[k] && code[k] <= bounds.upper[k])) return false
  }
  return true
}

/**
 * The least tau that was measured to keep a promise.
 * @param hybrid             as `quality.hybrid` of a file has them, tau rising
 * @param maxFalseNegatives  share of touching codes, 0 to 1, that may be called free at most
 * @returns undefined if none of them keeps it
 */
export function chooseTau(hybrid: readonly HybridRow[], maxFalseNegatives: number): number | undefined {
  return hybrid.find(({ falseNegatives }) => falseNegatives <= maxFalseNegatives)?.tau
}
