/**
 * L-BFGS in a box: the least value of a smooth function of a few dozen numbers, from values and gradients alone (Nocedal
 * and Wright, algorithm 7.4). Entries that the gradient presses against an end of the box are held, the others take a
 * quasi-Newton step from the last few changes of theirs, projected onto the box (Bertsekas 1982; the simple half of
 * L-BFGS-B). The line search brackets a step that both lowers the value and flattens the slope (weak Wolfe conditions,
 * as Lewis and Overton 2013 find it), so every change that is kept has positive curvature.
 */

/** Writes the gradient at x and returns the value. */
export type Evaluate = (x: Float64Array, gradient: Float64Array) => number

export interface LbfgsOptions {
  /** Changes that are remembered. */
  memory?: number
  /** Steps at most. */
  steps?: number
  /** Done when no entry of the projected gradient is larger than this. */
  tolerance?: number
  /** Rounding of values, as a share of them. Done, too, when a few steps in a row gain no more than that. */
  gain?: number
}
export const LBFGS_DEFAULTS = { memory: 10, steps: 200, tolerance: 1e-8, gain: 1e-15 } as const

/** Ends of every entry; left out, there are none. */
export interface LbfgsBox {
  readonly lower: ArrayLike<number>
  readonly upper: ArrayLike<number>
}

export interface LbfgsReport {
  /** Least value found, at x. */
  value: number
  /** Largest entry of the projected gradient there. */
  slope: number
  steps: number
  evaluations: number
  /** Whether `slope` is within the tolerance. */
  converged: boolean
}

/** Share of the decrease that the slope promises which a step must bring, and of the slope that it may leave. */
const DECREASE = 1e-4
const FLATTEN = 0.9
/** How much further to look while the slope goes on. */
const LONGER = 4
/** Values tried on one line. */
const TRIES = 30
/** Steps in a row that may gain nothing: next to the least value, values no longer tell steps apart, gradients do. */
const IDLE = 4
/** Changes whose curvature is below this share of their lengths' product are forgotten. */
const FLAT = 1e-10

/** Room for minimisations of one size; `minimise` allocates nothing but its report. */
export class Lbfgs {
  readonly #settings: Required<LbfgsOptions>
  readonly #gradient: Float64Array
  readonly #next: Float64Array
  readonly #nextGradient: Float64Array
  readonly #direction: Float64Array
  /** 1 for entries that are not held at an end of the box. */
  readonly #free: Uint8Array
  /** Changes of x and of the gradient, `size` numbers each, the newest overwriting the oldest. */
  readonly #moves: Float64Array
  readonly #bends: Float64Array
  readonly #shares: Float64Array
  #kept = 0
  #newest = -1

  constructor(
    readonly size: number,
    options: LbfgsOptions = {},
  ) {
    this.#settings = { ...LBFGS_DEFAULTS, ...options }
    const { memory } = this.#settings
    this.#gradient = new Float64Array(size)
    this.#next = new Float64Array(size)
    this.#nextGradient = new Float64Array(size)
    this.#direction = new Float64Array(size)
    this.#free = new Uint8Array(size)
    this.#moves = new Float64Array(memory * size)
    this.#bends = new Float64Array(memory * size)
    this.#shares = new Float64Array(memory)
  }

  /**
   * @param x          where to begin; put into the box, then moved to the least value found
   * @param firstStep  length of the first step to try; later ones know the curvature
   */
  minimise(evaluate: Evaluate, x: Float64Array, box?: LbfgsBox, firstStep = 1): LbfgsReport {
    const { steps, tolerance, gain } = this.#settings
    this.#kept = 0
    clampTo(x, box)
    const report = { value: evaluate(x, this.#gradient), slope: 0, steps: 0, evaluations: 1, converged: false }
    let idle = 0
    for (; ; report.steps++) {
      report.slope = this.#hold(x, box)
      report.converged = report.slope <= tolerance
      if (report.converged || idle > IDLE || report.steps >= steps || !Number.isFinite(report.value)) return report
      const before = report.value
      if (this.#step(evaluate, x, box, firstStep, report)) {
        idle = before - report.value > gain * Math.abs(before) ? 0 : idle + 1
        continue
      }
      // A memory that leads nowhere is tried without, once.
      if (this.#kept === 0) return report
      this.#kept = 0
    }
  }

  /** Holds entries that the gradient presses against an end. @returns largest entry of the projected gradient */
  #hold(x: Float64Array, box: LbfgsBox | undefined): number {
    let largest = 0
    for (let k = 0; k < this.size; k++) {
      const g = this.#gradient[k]
      const room = box ? (g > 0 ? x[k] - box.lower[k] : box.upper[k] - x[k]) : Infinity
      this.#free[k] = room > 0 ? 1 : 0
      largest = Math.max(largest, Math.min(Math.abs(g), Math.max(0, room)))
    }
    return largest
  }

  /** One step along the quasi-Newton direction. @returns whether there was one that lowers the value enough */
  #step(
    evaluate: Evaluate,
    x: Float64Array,
    box: LbfgsBox | undefined,
    firstStep: number,
    report: LbfgsReport,
  ): boolean {
    const { size } = this
    const [g, d, next, nextGradient] = [this.#gradient, this.#direction, this.#next, this.#nextGradient]
    const slope = this.#chooseDirection(firstStep)
    if (!(slope < 0)) return false
    const slack = this.#settings.gain * Math.abs(report.value)
    let share = 1
    let [low, high] = [0, Infinity]
    for (let k = 0; k < TRIES; k++) {
      for (let i = 0; i < size; i++) next[i] = x[i] + share * d[i]
      clampTo(next, box)
      const value = evaluate(next, nextGradient)
      report.evaluations++
      let [promised, left] = [0, 0]
      for (let i = 0; i < size; i++) {
        promised += g[i] * (next[i] - x[i])
        // Entries that have met an end of the box go no further.
        if (!box || (next[i] > box.lower[i] && next[i] < box.upper[i])) left += nextGradient[i] * d[i]
      }
      // NaN counts as too far.
      if (!(value <= report.value + DECREASE * promised + slack)) {
        if (promised > -slack) break
        high = share
        share = low === 0 ? high * leastOfParabola(value - report.value, high * slope) : (low + high) / 2
      } else if (left < FLATTEN * slope) {
        low = share
        share = high < Infinity ? (low + high) / 2 : LONGER * share
      } else return this.#accept(x, value, report)
    }
    // Nothing flat was found within the tries; what lowered the value is still worth having.
    if (low === 0) return false
    for (let i = 0; i < size; i++) next[i] = x[i] + low * d[i]
    clampTo(next, box)
    report.evaluations++
    return this.#accept(x, evaluate(next, nextGradient), report)
  }

  /** Moves on to `next`, and keeps what the way there tells of the curvature. */
  #accept(x: Float64Array, value: number, report: LbfgsReport): boolean {
    const { size } = this
    const slot = (this.#newest + 1) % this.#settings.memory
    let [curvature, move, bend] = [0, 0, 0]
    for (let i = 0, at = slot * size; i < size; i++, at++) {
      const s = this.#next[i] - x[i]
      const y = this.#nextGradient[i] - this.#gradient[i]
      this.#moves[at] = s
      this.#bends[at] = y
      curvature += s * y
      move += s * s
      bend += y * y
    }
    x.set(this.#next)
    this.#gradient.set(this.#nextGradient)
    report.value = value
    if (curvature > FLAT * Math.sqrt(move * bend)) {
      this.#newest = slot
      this.#kept = Math.min(this.#kept + 1, this.#settings.memory)
    } else if (this.#kept === this.#settings.memory) this.#kept--
    return move > 0
  }

  /** The two loops, over free entries alone; without curvature, down the gradient. @returns slope along the direction */
  #chooseDirection(firstStep: number): number {
    const { size } = this
    const { memory } = this.#settings
    const [d, moves, bends, shares] = [this.#direction, this.#moves, this.#bends, this.#shares]
    for (let i = 0; i < size; i++) d[i] = this.#free[i] === 1 ? -this.#gradient[i] : 0
    let scale = 0
    for (let n = 0; n < this.#kept; n++) {
      const slot = (this.#newest - n + memory) % memory
      const curvature = this.#dot(moves, slot, bends, slot)
      const bend = this.#dot(bends, slot, bends, slot)
      // Held entries take their part of the curvature away; what is left of a change may have none.
      const isUsed = curvature > FLAT * Math.sqrt(bend * this.#dot(moves, slot, moves, slot))
      shares[slot] = isUsed ? this.#dot(moves, slot, d, 0) / curvature : Number.NaN
      if (!isUsed) continue
      if (scale === 0) scale = curvature / bend
      this.#add(-shares[slot], bends, slot)
    }
    if (scale === 0) scale = firstStep / Math.sqrt(this.#dot(d, 0, d, 0))
    for (let i = 0; i < size; i++) d[i] *= scale
    for (let n = this.#kept - 1; n >= 0; n--) {
      const slot = (this.#newest - n + memory) % memory
      if (Number.isNaN(shares[slot])) continue
      const curvature = this.#dot(moves, slot, bends, slot)
      this.#add(shares[slot] - this.#dot(bends, slot, d, 0) / curvature, moves, slot)
    }
    return this.#dot(this.#gradient, 0, d, 0)
  }

  #dot(a: Float64Array, aSlot: number, b: Float64Array, bSlot: number): number {
    let sum = 0
    for (let i = 0; i < this.size; i++) {
      if (this.#free[i] === 1) sum += a[aSlot * this.size + i] * b[bSlot * this.size + i]
    }
    return sum
  }

  #add(factor: number, changes: Float64Array, slot: number): void {
    for (let i = 0; i < this.size; i++) {
      if (this.#free[i] === 1) this.#direction[i] += factor * changes[slot * this.size + i]
    }
  }
}

/** Where, as a share of a step that went too far, the parabola of its slope and rise is least; never near its ends. */
function leastOfParabola(rise: number, slope: number): number {
  const share = -slope / (2 * (rise - slope))
  return share > 0.1 ? Math.min(share, 0.5) : 0.1
}

function clampTo(x: Float64Array, box: LbfgsBox | undefined): void {
  if (!box) return
  for (let k = 0; k < x.length; k++) x[k] = Math.min(Math.max(x[k], box.lower[k]), box.upper[k])
}
