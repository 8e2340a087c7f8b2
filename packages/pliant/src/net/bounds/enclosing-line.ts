/**
 * The strip around a line that holds an activation over an interval: slope x + shift - spread <= f(x) <= slope x + shift +
 * spread for all x in [low, high] (algorithms.md 6.3; Sharp and Jacobson 2022, "Spelunking the deep"). The line is the
 * chord, as there, for every activation: f(x) - slope x is then largest and least at the ends or where f' is the slope.
 */
import type { Activation } from '../dense/dense-shape.js'
import { scalarActivations } from '../scalar/activation.js'

type Kind = Activation | 'linear'

/** Digits that computing the strip itself may be off by, beside what it says. */
const SLACK = 1e-13
/** Below this width the chord has no digits left, and the slope in the middle is as good. */
const NARROW = 1e-5

export class EnclosingLine {
  slope = 1
  shift = 0
  spread = 0
  #low = 0
  #high = 0

  /** For all x in [low, high]. */
  over(kind: Kind, low: number, high: number): void {
    if (kind === 'linear' || ((kind === 'relu' || kind === 'elu') && low >= 0)) {
      this.#set(1, 0, 0)
    } else if (kind === 'relu') {
      if (high <= 0) this.#set(0, 0, 0)
      else {
        const slope = high / (high - low)
        this.#set(slope, (-slope * low) / 2, (-slope * low) / 2 + SLACK * (high - low))
      }
    } else {
      const { value, slope } = scalarActivations[kind]
      const middle = (low + high) / 2
      const chord = high - low < NARROW ? slope(middle, value(middle)) : (value(high) - value(low)) / (high - low)
      this.#setSlope(kind, chord, low, high)
    }
  }

  /** The same with a level line: the least and the largest of the values. For numbers that are known to no symbol. */
  level(kind: Kind, low: number, high: number): void {
    this.#setSlope(kind, 0, low, high)
  }

  #set(slope: number, shift: number, spread: number): void {
    this.slope = slope
    this.shift = shift
    this.spread = spread
  }

  #setSlope(kind: Kind, slope: number, low: number, high: number): void {
    const { value } = scalarActivations[kind]
    const [atLow, atHigh] = [value(low) - slope * low, value(high) - slope * high]
    this.#low = Math.min(atLow, atHigh)
    this.#high = Math.max(atLow, atHigh)
    const visit = (x: number): void => {
      if (!(x > low && x < high)) return
      const rest = value(x) - slope * x
      this.#low = Math.min(this.#low, rest)
      this.#high = Math.max(this.#high, rest)
    }
    WHERE_STEEP[kind](slope, visit)
    const size = Math.max(Math.abs(low), Math.abs(high))
    this.#set(slope, (this.#low + this.#high) / 2, (this.#high - this.#low) / 2 + SLACK * (1 + size))
  }
}

/** Visits all places where the derivative is the slope, and the kinks. */
const WHERE_STEEP: Record<Kind, (slope: number, visit: (x: number) => void) => void> = {
  linear: () => {},
  relu: (_, visit) => visit(0),
  elu(slope, visit) {
    if (slope > 0 && slope < 1) visit(Math.log(slope))
    visit(0)
  },
  softplus(slope, visit) {
    if (slope > 0 && slope < 1) visit(Math.log(slope / (1 - slope)))
  },
  tanh(slope, visit) {
    if (!(slope >= 0 && slope < 1)) return
    const x = Math.atanh(Math.sqrt(1 - slope))
    visit(x)
    visit(-x)
  },
  silu(slope, visit) {
    // The derivative falls to its least at -TURN, rises to its most at TURN and falls to 1; f'(x) + f'(-x) = 1.
    const atTurn = siluSlope(TURN)
    if (!(slope > 1 - atTurn && slope < atTurn)) return
    visit(siluRising(slope))
    if (slope < 0) visit(-siluFalling(1 - slope))
    if (slope > 1) visit(siluFalling(slope))
  },
}

/** Where the derivative of x / (1 + e^-x) is largest: the root of x tanh(x / 2) = 2. */
const TURN = 2.39935728052
const HALVINGS = 40
const MOST_STEPS = 20

function siluSlope(x: number): number {
  const s = 1 / (1 + Math.exp(-x))
  return s * (1 + x * (1 - s))
}

/** Steps of the table by which the search between -TURN and TURN begins. */
const STEPS = 256
const TABLE = Float64Array.from({ length: STEPS + 1 }, (_, i) => siluSlope(TURN * ((2 * i) / STEPS - 1)))

/** Between -TURN and TURN: the table's step, then Newton's steps within it. */
function siluRising(slope: number): number {
  let [below, above] = [0, STEPS]
  while (above - below > 1) {
    const middle = (below + above) >> 1
    if (TABLE[middle] <= slope) below = middle
    else above = middle
  }
  let [low, high] = [TURN * ((2 * below) / STEPS - 1), TURN * ((2 * above) / STEPS - 1)]
  let x = low + ((high - low) * (slope - TABLE[below])) / (TABLE[above] - TABLE[below])
  for (let i = 0; i < MOST_STEPS; i++) {
    const s = 1 / (1 + Math.exp(-x))
    const beyond = s * (1 + x * (1 - s)) - slope
    if (Math.abs(beyond) < 1e-12) break
    if (beyond > 0) high = x
    else low = x
    // Near the ends the curve is level, and Newton's step leads out.
    x -= beyond / (s * (1 - s) * (2 + x * (1 - 2 * s)))
    if (!(x > low && x < high)) x = (low + high) / 2
  }
  return x
}

/** Beyond TURN, for a slope above 1: by halves, as hardly anybody asks for it. */
function siluFalling(slope: number): number {
  let [low, high] = [TURN, 60]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (siluSlope(middle) > slope) low = middle
    else high = middle
  }
  return low
}
