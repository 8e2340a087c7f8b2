/**
 * Whether codes touch themselves, by a learned field where it is sure and by an exact test where it is not: within
 * |f| < tau the exact test decides. How often the rest is wrong was measured when the file was evaluated
 * (`quality.hybrid`), and `chooseTau` takes the least tau that keeps a promise, however few touching codes were seen then.
 */
import type { HybridRow, SelfContactQuality } from '../artifact/self-contact-quality.js'
import type { ConfigurationField, ExactTest } from '../field/configuration-field.js'
import { binomialUpperBound } from '../math/binomial-bound.js'
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

/** Of a promise: of twenty evaluations on other codes, one may see so few mistakes by luck that its bound is too low. */
export const PROMISE_CONFIDENCE = 0.95

/** What of a file's quality a promise is made of. */
export type HybridQuality = Pick<SelfContactQuality, 'codes' | 'touchingShare' | 'hybrid'>

/**
 * The least tau that keeps a promise: one whose `falseNegativeBound` is no larger. As codes that are missed grow fewer
 * with tau, every larger one keeps it too, and that the least is chosen takes nothing from the confidence.
 * @param quality            `manifest.quality` of a file
 * @param maxFalseNegatives  share of touching codes, 0 to 1, that may be called free at most
 * @returns undefined if none of those that were measured keeps it: then only the exact test of all codes does (tau of
 *   Infinity)
 */
export function chooseTau(quality: HybridQuality, maxFalseNegatives: number): number | undefined {
  return quality.hybrid.find((row) => falseNegativeBound(quality, row) <= maxFalseNegatives)?.tau
}

/**
 * What share of touching codes, drawn evenly from the box, is called free at most with a row's tau, at a confidence of 95%:
 * the upper bound of Clopper and Pearson from how many touching codes were seen and missed. None missed of 200 is below 1.5%,
 * none of 3,000 below 0.1%.
 * @returns 0 to 1; 1 if no touching code was seen
 */
export function falseNegativeBound({ codes, touchingShare }: HybridQuality, { falseNegatives }: HybridRow): number {
  const touching = Math.round(codes * touchingShare)
  return binomialUpperBound(Math.round(falseNegatives * touching), touching, PROMISE_CONFIDENCE)
}
