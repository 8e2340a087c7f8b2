/**
 * Offsets of the codes of a span of frames, sums of cubic splines in time (`spline-offsets.ts`), by an augmented Lagrangian
 * with L-BFGS inside:
 *
 *   min  sum over frames of  w |d|^2 / 2 + w |T^2 d''|^2 / 2 + K |what is kept - where it was|^2 / 2
 *   with clearance_p(code + d) >= m_p of each frame and pair of parts p
 *
 * d is what all passes together add to the recording: those before are in the codes already.
 */
import { Lbfgs } from '../../math/lbfgs.js'
import type { ClearanceField, KeptPlaces, RecordedMotion } from './recorded-motion.js'
import type { SplineOffsets } from './spline-offsets.js'

export interface SpanSettings {
  /** Time that a change takes to come or to go [s]. */
  fade: number
  /** Frames a second that are looked at. */
  solvedRate: number
  /** What keeping places weighs [1/m^2]. */
  keepWeight: number
}

/** Outer and inner iterations of one solve. */
const OUTER = 4
const INNER = 25
/** What a violation of 1 m^2 weighs at first, and how it grows. */
const WEIGHT = 3e3
const WEIGHT_GROWTH = 4
/** Constraints that are missed by less need no further iteration [m]: the exact test has the last word. */
const MET = 3e-4
/** Length of the first step to try [unit of the code]. */
const FIRST_STEP = 0.02

export class SpanSolver {
  readonly #field: ClearanceField
  readonly #motion: RecordedMotion
  readonly #codes: Float64Array
  readonly #settings: SpanSettings
  readonly #size: number
  readonly #code: Float64Array
  readonly #clearances: Float64Array

  /** @param codes  of all frames as they are by now; looked at whenever a span is solved */
  constructor(field: ClearanceField, motion: RecordedMotion, codes: Float64Array, settings: SpanSettings) {
    this.#field = field
    this.#motion = motion
    this.#codes = codes
    this.#settings = settings
    this.#size = field.codeSize
    this.#code = new Float64Array(field.codeSize)
    this.#clearances = new Float64Array(field.pairs.length)
  }

  /**
   * Of so many frames a second as are solved.
   * @param limitsOf  what clearances of a frame must not fall below, for each pair [m]
   * @returns coefficients of the splines, for each knot as many as a code has
   */
  solve(offsets: SplineOffsets, limitsOf: (frame: number) => Float64Array): Float64Array {
    const coefficients = new Float64Array(offsets.knots * this.#size)
    const every = Math.max(1, Math.floor(this.#motion.rate / this.#settings.solvedRate))
    const { first, last } = offsets.span
    const frames = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((frame) => frame % every === 0)
    const limits = frames.map(limitsOf)
    const pushes = frames.map(() => new Float64Array(this.#field.pairs.length))
    const solver = new Lbfgs(coefficients.length, { steps: INNER, tolerance: 1e-6, gain: 1e-7 })
    let weight = WEIGHT
    const evaluate = (x: Float64Array, gradient: Float64Array): number => {
      gradient.fill(0)
      let sum = this.#nearness(offsets, x, gradient, every)
      frames.forEach((frame, i) => {
        sum += this.#violation(offsets, x, frame, limits[i], pushes[i], weight, gradient)
      })
      return sum
    }
    let worst = Infinity
    for (let outer = 0; outer < OUTER && worst > MET; outer++) {
      solver.minimise(evaluate, coefficients, undefined, FIRST_STEP)
      worst = 0
      frames.forEach((frame, i) => {
        this.write(offsets, coefficients, frame, this.#code)
        this.#field.clearances(this.#code, this.#clearances)
        for (let pair = 0; pair < pushes[i].length; pair++) {
          const missed = limits[i][pair] - this.#clearances[pair]
          worst = Math.max(worst, missed)
          pushes[i][pair] = Math.max(0, pushes[i][pair] + weight * missed)
        }
      })
      weight *= WEIGHT_GROWTH
    }
    return coefficients
  }

  /** The code of a frame as it is by now, with the offset. */
  write(offsets: SplineOffsets, coefficients: Float64Array, frame: number, out: Float64Array): void {
    offsets.at(coefficients, this.#size, frame, out)
    for (let k = 0; k < this.#size; k++) out[k] += this.#codes[frame * this.#size + k]
  }

  /** Of all frames of the span: how far offsets are from none, and how much they bend in time; and what is kept. */
  #nearness(offsets: SplineOffsets, x: Float64Array, gradient: Float64Array, every: number): number {
    const size = this.#size
    const { weights, kept, rate } = this.#motion
    const { fade, keepWeight } = this.#settings
    // A quarter of the time that changes take: bends of that scale weigh as much as their offsets.
    const bend = ((fade / 4) * rate) / every
    const share = every
    const rows: Float64Array[] = []
    const { first, last } = offsets.span
    const frames: number[] = []
    for (let frame = first; frame <= last; frame += every) {
      this.write(offsets, x, frame, this.#code)
      rows.push(this.#code.map((value, k) => value - this.#motion.codes[frame * size + k]))
      frames.push(frame)
    }
    const by = rows.map(() => new Float64Array(size))
    let sum = 0
    rows.forEach((row, i) => {
      for (let k = 0; k < size; k++) {
        const w = share * (weights ? weights[k] : 1)
        by[i][k] += w * row[k]
        sum += (w * row[k] * row[k]) / 2
        if (i === 0 || i === rows.length - 1) continue
        const second = bend * bend * (rows[i - 1][k] - 2 * row[k] + rows[i + 1][k])
        sum += (w * second * second) / 2
        const push = w * second * bend * bend
        by[i - 1][k] += push
        by[i][k] -= 2 * push
        by[i + 1][k] += push
      }
      if (kept) sum += this.#keeping(kept, offsets, x, frames[i], share * keepWeight, by[i])
    })
    frames.forEach((frame, i) => {
      offsets.pullBack(by[i], size, frame, gradient)
    })
    return sum
  }

  #keeping(
    kept: KeptPlaces,
    offsets: SplineOffsets,
    x: Float64Array,
    frame: number,
    weight: number,
    byOffset: Float64Array,
  ): number {
    const size = this.#size
    const [was, is, byCode] = [3 * kept.pointCount, 3 * kept.pointCount, size].map((length) => new Float64Array(length))
    kept.positions(this.#motion.codes.subarray(frame * size, (frame + 1) * size), was)
    this.write(offsets, x, frame, this.#code)
    kept.positions(this.#code, is)
    let sum = 0
    for (let i = 0; i < is.length; i++) {
      const way = is[i] - was[i]
      sum += (weight * way * way) / 2
      is[i] = weight * way
    }
    kept.pullBack(this.#code, is, byCode)
    for (let k = 0; k < size; k++) byOffset[k] += byCode[k]
    return sum
  }

  /** The augmented Lagrangian's share of one frame, (max(0, push + weight g)^2 - push^2) / 2 weight over its pairs. */
  #violation(
    offsets: SplineOffsets,
    x: Float64Array,
    frame: number,
    limits: Float64Array,
    pushes: Float64Array,
    weight: number,
    gradient: Float64Array,
  ): number {
    this.write(offsets, x, frame, this.#code)
    this.#field.clearances(this.#code, this.#clearances)
    let sum = 0
    let isPushed = false
    const by = this.#clearances
    for (let pair = 0; pair < limits.length; pair++) {
      const push = Math.max(0, pushes[pair] + weight * (limits[pair] - by[pair]))
      sum += (push * push - pushes[pair] * pushes[pair]) / (2 * weight)
      by[pair] = -push
      isPushed ||= push > 0
    }
    if (!isPushed) return sum
    const byCode = new Float64Array(this.#size)
    this.#field.pullBackClearances(by, byCode)
    offsets.pullBack(byCode, this.#size, frame, gradient)
    return sum
  }
}
