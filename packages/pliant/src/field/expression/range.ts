/** What a number can be: from low to high, both included. Mutable, so that bounding a box allocates nothing. */

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
