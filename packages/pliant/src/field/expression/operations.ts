/**
 * What expressions are made of: each operation with its values over a block of points, its share of a gradient, and what
 * both can be over a box (interval arithmetic; Liu et al., section 3). One object per operation, so that a new one is a
 * new entry here and nothing else.
 *
 * Bounds hold for the numbers that `run` computes, rounding included: whatever rounds is widened by an ulp to either side.
 */
import { direction, down, inverse, multiplied, type Range, up, wave, widened } from './range.js'

/** One operation; what it does not take of three inputs is handed in as an empty block. */
export interface Operation {
  /** How many inputs it takes. */
  readonly arity: 1 | 2 | 3
  /** Values of `count` points. */
  run(count: number, out: Float64Array, a: Float64Array, b: Float64Array, c: Float64Array): void
  /** Adds to gradients by its inputs, at points whose value and inputs are known. */
  pullBack(count: number, by: Float64Array, out: Float64Array, a: Input, b: Input, c: Input): void
  /** What the value can be, of what the inputs can be. */
  bounds(out: Range, a: Range, b: Range, c: Range): void
  /** What the derivatives by the inputs can be; wherever it has a kink, whatever lies between those beside it. */
  slopes(out: Range, inputs: readonly Range[], slopes: readonly Range[]): void
}

/** An input's values at the points of a block, and the gradient by it that is gathered. */
export interface Input {
  readonly values: Float64Array
  readonly by: Float64Array
}

const add: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = a[i] + b[i]
  },
  pullBack(count, by, _, a, b) {
    for (let i = 0; i < count; i++) {
      a.by[i] += by[i]
      b.by[i] += by[i]
    }
  },
  bounds(out, a, b) {
    out.set(down(a.low + b.low), up(a.high + b.high))
  },
  slopes(_, __, [a, b]) {
    a.set(1, 1)
    b.set(1, 1)
  },
}

const subtract: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = a[i] - b[i]
  },
  pullBack(count, by, _, a, b) {
    for (let i = 0; i < count; i++) {
      a.by[i] += by[i]
      b.by[i] -= by[i]
    }
  },
  bounds(out, a, b) {
    out.set(down(a.low - b.high), up(a.high - b.low))
  },
  slopes(_, __, [a, b]) {
    a.set(1, 1)
    b.set(-1, -1)
  },
}

const multiply: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = a[i] * b[i]
  },
  pullBack(count, by, _, a, b) {
    for (let i = 0; i < count; i++) {
      a.by[i] += by[i] * b.values[i]
      b.by[i] += by[i] * a.values[i]
    }
  },
  bounds(out, a, b) {
    multiplied(a, b, out)
  },
  slopes(_, [left, right], [a, b]) {
    a.copy(right)
    b.copy(left)
  },
}

const divide: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = a[i] / b[i]
  },
  pullBack(count, by, out, a, b) {
    for (let i = 0; i < count; i++) {
      const share = by[i] / b.values[i]
      a.by[i] += share
      b.by[i] -= share * out[i]
    }
  },
  bounds(out, a, b) {
    if (b.low <= 0 && b.high >= 0) out.set(-Infinity, Infinity)
    else multiplied(a, inverse(b), out)
  },
  slopes(out, [, below], [a, b]) {
    if (below.low <= 0 && below.high >= 0) {
      a.set(-Infinity, Infinity)
      b.set(-Infinity, Infinity)
      return
    }
    a.copy(inverse(below))
    multiplied(out, a, b)
    b.set(-b.high, -b.low)
  },
}

const negate: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = -a[i]
  },
  pullBack(count, by, _, a) {
    for (let i = 0; i < count; i++) a.by[i] -= by[i]
  },
  bounds(out, a) {
    out.set(-a.high, -a.low)
  },
  slopes(_, __, [a]) {
    a.set(-1, -1)
  },
}

const abs: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = Math.abs(a[i])
  },
  pullBack(count, by, _, a) {
    for (let i = 0; i < count; i++) a.by[i] += a.values[i] < 0 ? -by[i] : by[i]
  },
  bounds(out, a) {
    if (a.low >= 0) out.copy(a)
    else if (a.high <= 0) out.set(-a.high, -a.low)
    else out.set(0, Math.max(-a.low, a.high))
  },
  slopes(_, [of], [a]) {
    a.set(of.low < 0 ? -1 : 1, of.high < 0 ? -1 : 1)
  },
}

const min: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = Math.min(a[i], b[i])
  },
  pullBack(count, by, _, a, b) {
    for (let i = 0; i < count; i++) {
      if (b.values[i] < a.values[i]) b.by[i] += by[i]
      else a.by[i] += by[i]
    }
  },
  bounds(out, a, b) {
    out.set(Math.min(a.low, b.low), Math.min(a.high, b.high))
  },
  slopes(_, [left, right], [a, b]) {
    share(a, left.high < right.low, left.low > right.high)
    share(b, right.high < left.low, right.low > left.high)
  },
}

const max: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = Math.max(a[i], b[i])
  },
  pullBack(count, by, _, a, b) {
    for (let i = 0; i < count; i++) {
      if (b.values[i] > a.values[i]) b.by[i] += by[i]
      else a.by[i] += by[i]
    }
  },
  bounds(out, a, b) {
    out.set(Math.max(a.low, b.low), Math.max(a.high, b.high))
  },
  slopes(_, [left, right], [a, b]) {
    share(a, left.low > right.high, left.high < right.low)
    share(b, right.low > left.high, right.high < left.low)
  },
}

/** sqrt(a), 0 below 0; its derivative there is none. */
const sqrt: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = a[i] > 0 ? Math.sqrt(a[i]) : 0
  },
  pullBack(count, by, out, a) {
    for (let i = 0; i < count; i++) if (out[i] > 0) a.by[i] += by[i] / (2 * out[i])
  },
  bounds(out, a) {
    out.set(down(Math.sqrt(Math.max(0, a.low))), up(Math.sqrt(Math.max(0, a.high))))
    if (out.low < 0) out.set(0, out.high)
  },
  slopes(out, [of], [a]) {
    if (of.high <= 0) a.set(0, 0)
    else a.set(of.low <= 0 ? 0 : down(0.5 / out.high), of.low <= 0 ? Infinity : up(0.5 / out.low))
  },
}

const square: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = a[i] * a[i]
  },
  pullBack(count, by, _, a) {
    for (let i = 0; i < count; i++) a.by[i] += 2 * by[i] * a.values[i]
  },
  bounds(out, a) {
    const [low, high] = [a.low * a.low, a.high * a.high]
    out.set(a.low < 0 && a.high > 0 ? 0 : Math.max(0, down(Math.min(low, high))), up(Math.max(low, high)))
  },
  slopes(_, [of], [a]) {
    a.set(2 * of.low, 2 * of.high)
  },
}

/** Length of (a, b, c). Its gradient at zero length is that of b alone: up, where these are x, y and z. */
const length3: Operation = {
  arity: 3,
  run(count, out, a, b, c) {
    for (let i = 0; i < count; i++) out[i] = Math.sqrt(a[i] * a[i] + b[i] * b[i] + c[i] * c[i])
  },
  pullBack(count, by, out, a, b, c) {
    for (let i = 0; i < count; i++) {
      if (out[i] === 0) {
        b.by[i] += by[i]
        continue
      }
      const share = by[i] / out[i]
      a.by[i] += share * a.values[i]
      b.by[i] += share * b.values[i]
      c.by[i] += share * c.values[i]
    }
  },
  bounds(out, a, b, c) {
    const least = a.leastSquare() + b.leastSquare() + c.leastSquare()
    const most = a.mostSquare() + b.mostSquare() + c.mostSquare()
    out.set(Math.max(0, widened(Math.sqrt(least), -1)), widened(Math.sqrt(most), 1))
  },
  slopes(out, inputs, slopes) {
    for (let k = 0; k < 3; k++) direction(inputs[k], out, slopes[k])
  },
}

/** Length of (a, b). */
const length2: Operation = {
  arity: 2,
  run(count, out, a, b) {
    for (let i = 0; i < count; i++) out[i] = Math.sqrt(a[i] * a[i] + b[i] * b[i])
  },
  pullBack(count, by, out, a, b) {
    for (let i = 0; i < count; i++) {
      if (out[i] === 0) {
        a.by[i] += by[i]
        continue
      }
      const share = by[i] / out[i]
      a.by[i] += share * a.values[i]
      b.by[i] += share * b.values[i]
    }
  },
  bounds(out, a, b) {
    const [least, most] = [a.leastSquare() + b.leastSquare(), a.mostSquare() + b.mostSquare()]
    out.set(Math.max(0, widened(Math.sqrt(least), -1)), widened(Math.sqrt(most), 1))
  },
  slopes(out, inputs, slopes) {
    for (let k = 0; k < 2; k++) direction(inputs[k], out, slopes[k])
  },
}

const sin: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = Math.sin(a[i])
  },
  pullBack(count, by, _, a) {
    for (let i = 0; i < count; i++) a.by[i] += by[i] * Math.cos(a.values[i])
  },
  bounds(out, a) {
    wave(a, Math.sin, Math.PI / 2, out)
  },
  slopes(_, [of], [a]) {
    wave(of, Math.cos, 0, a)
  },
}

const cos: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = Math.cos(a[i])
  },
  pullBack(count, by, _, a) {
    for (let i = 0; i < count; i++) a.by[i] -= by[i] * Math.sin(a.values[i])
  },
  bounds(out, a) {
    wave(a, Math.cos, 0, out)
  },
  slopes(_, [of], [a]) {
    wave(of, Math.sin, Math.PI / 2, a)
    a.set(-a.high, -a.low)
  },
}

/** The nearest whole number; flat, with steps. */
const round: Operation = {
  arity: 1,
  run(count, out, a) {
    for (let i = 0; i < count; i++) out[i] = Math.round(a[i])
  },
  pullBack() {},
  bounds(out, a) {
    out.set(Math.round(a.low), Math.round(a.high))
  },
  slopes(out, _, [a]) {
    if (out.low === out.high) a.set(0, 0)
    else a.set(-Infinity, Infinity)
  },
}

/** b where a is 0 or less, c elsewhere. Fields that are to be continuous choose two that agree where a is 0. */
const select: Operation = {
  arity: 3,
  run(count, out, a, b, c) {
    for (let i = 0; i < count; i++) out[i] = a[i] <= 0 ? b[i] : c[i]
  },
  pullBack(count, by, _, a, b, c) {
    for (let i = 0; i < count; i++) {
      if (a.values[i] <= 0) b.by[i] += by[i]
      else c.by[i] += by[i]
    }
  },
  bounds(out, a, b, c) {
    if (a.high <= 0) out.copy(b)
    else if (a.low > 0) out.copy(c)
    else out.set(Math.min(b.low, c.low), Math.max(b.high, c.high))
  },
  slopes(_, [by], [a, b, c]) {
    // Where it may jump, nothing is promised of how much it changes.
    if (by.high <= 0 || by.low > 0) a.set(0, 0)
    else a.set(-Infinity, Infinity)
    share(b, by.high <= 0, by.low > 0)
    share(c, by.low > 0, by.high <= 0)
  },
}

export const OPERATIONS = {
  add,
  subtract,
  multiply,
  divide,
  negate,
  abs,
  min,
  max,
  sqrt,
  square,
  length3,
  length2,
  sin,
  cos,
  round,
  select,
} as const satisfies Record<string, Operation>
/** Name of an operation. */
export type OperationName = keyof typeof OPERATIONS

/** Derivative by an input that is taken certainly, certainly not, or perhaps. */
function share(out: Range, taken: boolean, left: boolean): void {
  out.set(taken ? 1 : 0, left ? 0 : 1)
}
