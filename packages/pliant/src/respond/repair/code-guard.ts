/**
 * Keeps a code that somebody else drives, an avatar's pose or a hand's, out of self-contact as it goes, in a fraction of a
 * millisecond a frame: the nearest code whose clearances are all no less than a margin, or than what the code itself has
 * where that is all the field can tell. No exact test; a recorded motion has `repairMotion`.
 *
 * Sequential quadratic programming: clearances are taken for linear where the code was last, the few that matter make
 *
 *   min sum w d^2 / 2   with   y_p + g_p . (d - d_last) >= margin
 *
 * which is solved for its multipliers by projected Gauss-Seidel, a few times over. It begins with the offset of the frame
 * before, so that a code that moves smoothly is answered smoothly.
 */
import type { Floats } from '../../math/floats.js'
import { requireNumbers } from '../../math/require.js'
import { COUNT, NOT_NEGATIVE, type Rules, settingsOf } from '../../math/settings.js'
import type { ClearanceField } from './recorded-motion.js'

/** How a code is kept free. */
export interface GuardOptions {
  /** Clearance to keep [m]. */
  margin?: number
  /** Times that clearances are taken for linear, for each code. */
  rounds?: number
  /** What each entry of the code weighs in being near what was asked for; left out, one. */
  weights?: ArrayLike<number>
}
/** Five millimetres, in no more than four rounds. */
export const GUARD_DEFAULTS = { margin: 0.005, rounds: 4 } as const

const RULES: Rules<{ margin: number; rounds: number }> = { margin: NOT_NEGATIVE, rounds: COUNT }

/** Pairs of parts that are looked at in a round: those that are nearest. */
const MOST_PAIRS = 8
/** Sweeps over their multipliers. */
const SWEEPS = 12
/** Clearances within this of the margin [m] are kept in mind: they may be next. */
const NEAR = 0.01
/** How far a clearance may stay below the margin [m]. */
const TOLERANCE = 1e-4

/** Keeps codes out of self-contact as they come. */
export class CodeGuard {
  readonly #field: ClearanceField
  readonly #settings: { margin: number; rounds: number }
  readonly #weights: Float64Array
  readonly #offset: Float64Array
  readonly #code: Float64Array
  readonly #clearances: Float64Array
  readonly #cotangents: Float64Array
  readonly #gradients: Float64Array[]
  readonly #multipliers = new Float64Array(MOST_PAIRS)
  #pushing: ReadonlySet<number> = new Set()

  /** @throws RangeError if an option is wrong */
  constructor(field: ClearanceField, { weights, ...options }: GuardOptions = {}) {
    this.#settings = settingsOf('code guard', options, { ...GUARD_DEFAULTS }, RULES)
    const { codeSize, pairs } = field
    if (weights) requireNumbers('code guard', weights, 'weight', codeSize)
    this.#field = field
    this.#weights = Float64Array.from({ length: codeSize }, (_, k) => weights?.[k] ?? 1)
    this.#offset = new Float64Array(codeSize)
    this.#code = new Float64Array(codeSize)
    this.#clearances = new Float64Array(pairs.length)
    this.#cotangents = new Float64Array(pairs.length)
    this.#gradients = Array.from({ length: MOST_PAIRS }, () => new Float64Array(codeSize))
  }

  /**
   * The nearest code that keeps the margin.
   * @param code  what is asked for; finite
   * @param out   receives it; may be the code itself
   * @returns the least clearance of the result by the field [m]: less than the margin where no way was found
   * @throws RangeError if the code is of another length or not finite
   */
  keep(code: ArrayLike<number>, out: Floats): number {
    requireNumbers('code guard', code, 'code value', this.#field.codeSize)
    const asked = Float64Array.from(code)
    const { margin, rounds } = this.#settings
    let least = this.#ask(asked)
    for (let round = 0; round < rounds; round++) {
      const isSame = this.#offset.every((value) => value === 0)
      // Free, and nothing of the last frame left to take back.
      if (least >= margin - TOLERANCE && isSame) break
      this.#solve()
      const before = least
      least = this.#ask(asked)
      if (least >= margin - TOLERANCE && Math.abs(least - before) < TOLERANCE) break
    }
    for (let k = 0; k < asked.length; k++) out[k] = this.#code[k]
    return least
  }

  /** Forgets the offset of the last frame, as after a cut. */
  reset(): void {
    this.#offset.fill(0)
    this.#pushing = new Set()
  }

  /** Clearances at the code with its offset. @returns the least */
  #ask(asked: Float64Array): number {
    for (let k = 0; k < asked.length; k++) this.#code[k] = asked[k] + this.#offset[k]
    this.#field.clearances(this.#code, this.#clearances)
    return this.#clearances.reduce((least, clearance) => Math.min(least, clearance), Infinity)
  }

  /** The offset that the clearances ask for where they are linear. */
  #solve(): void {
    const { margin } = this.#settings
    const near = [...this.#clearances.keys()]
      // Those that push already have made room for themselves: without them the offset would jump back.
      .filter((pair) => this.#clearances[pair] < margin + NEAR || this.#pushing.has(pair))
      .sort((a, b) => this.#clearances[a] - this.#clearances[b])
      .slice(0, MOST_PAIRS)
    const wanted = near.map((pair, i) => {
      const gradient = this.#gradients[i]
      this.#cotangents[pair] = 1
      this.#field.pullBackClearances(this.#cotangents, gradient)
      this.#cotangents[pair] = 0
      // y + g . (d - d_last) >= margin
      return margin - this.#clearances[pair] + dot(gradient, this.#offset)
    })
    const multipliers = this.#multipliers.fill(0)
    const d = this.#offset.fill(0)
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (let i = 0; i < near.length; i++) {
        const gradient = this.#gradients[i]
        let stiffness = 0
        for (let k = 0; k < d.length; k++) stiffness += gradient[k] ** 2 / this.#weights[k]
        // Parts that no entry of the code moves apart.
        if (!(stiffness > 1e-12)) continue
        const next = Math.max(0, multipliers[i] + (wanted[i] - dot(gradient, d)) / stiffness)
        const step = next - multipliers[i]
        multipliers[i] = next
        for (let k = 0; k < d.length; k++) d[k] += (step * gradient[k]) / this.#weights[k]
      }
    }
    this.#pushing = new Set(near.filter((_, i) => multipliers[i] > 0))
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}
