/**
 * What a number can be: from low to high, both included; and what follows for numbers that depend on it. Mutable, so that
 * bounding a box allocates little.
 */

export class Range {
  low = 0
  high = 0

  set(low: number, high: number): void {
    this.low = low
    this.high = high
  }

  copy(other: Range): void {
    this.low = other.low
    this.high = other.high
  }

  leastSquare(): number {
    if (this.low > 0) return this.low * this.low
    return this.high < 0 ? this.high * this.high : 0
  }

  mostSquare(): number {
    return Math.max(this.low * this.low, this.high * this.high)
  }
}

/** Half an ulp to either side, and the least number there is: what one rounding may have taken away. */
const ULP = 2 ** -52
const LEAST = Number.MIN_VALUE

/** A number that is less than whatever rounds to this one. */
export function down(value: number): number {
  return Number.isFinite(value) ? value - (Math.abs(value) * ULP + LEAST) : value
}

/** A number that is more than whatever rounds to this one. */
export function up(value: number): number {
  return Number.isFinite(value) ? value + (Math.abs(value) * ULP + LEAST) : value
}

/** All products of a number of either range; nothing times anything is nothing, infinite slopes included. */
export function multiplied(a: Range, b: Range, out: Range): void {
  const p = times(a.low, b.low)
  const q = times(a.low, b.high)
  const r = times(a.high, b.low)
  const s = times(a.high, b.high)
  out.set(down(Math.min(p, q, r, s)), up(Math.max(p, q, r, s)))
}

function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b
}

/** Differences that a sine may be off by beside rounding: no host promises its last digit. */
const SINE_ERROR = 1e-15

/** 1 / range, which does not hold 0. */
export function inverse(range: Range): Range {
  const out = new Range()
  out.set(down(1 / range.high), up(1 / range.low))
  return out
}

/** Three roundings before a root halve into less than two ulps after it. */
export function widened(value: number, side: 1 | -1): number {
  return side > 0 ? up(up(up(value))) : down(down(down(value)))
}

/** of / length, which is never beyond 1; of no length it is whatever `pullBack` says. */
export function direction(of: Range, length: Range, out: Range): void {
  if (length.low === 0) {
    out.set(of.low < 0 ? -1 : 0, 1)
    return
  }
  const low = of.low / (of.low >= 0 ? length.high : length.low)
  const high = of.high / (of.high <= 0 ? length.high : length.low)
  out.set(Math.max(-1, down(low)), Math.min(1, up(high)))
}

/** A sine or cosine whose crests lie at `crest` and every 2 pi from there. */
export function wave(a: Range, of: (x: number) => number, crest: number, out: Range): void {
  const turn = 2 * Math.PI
  // Far out a turn is no longer told from its neighbours.
  if (!(a.high - a.low < turn && Math.max(-a.low, a.high) < 1e8)) {
    out.set(-1, 1)
    return
  }
  const [start, end] = [of(a.low), of(a.high)]
  const slack = 1e-7
  const holds = (place: number): boolean => Math.ceil((a.low - place - slack) / turn) * turn + place <= a.high + slack
  out.set(
    holds(crest + Math.PI) ? -1 : Math.max(-1, Math.min(start, end) - SINE_ERROR),
    holds(crest) ? 1 : Math.min(1, Math.max(start, end) + SINE_ERROR),
  )
}
