/**
 * Numbers that are known as affine forms: base + sum over symbols of row * symbol, every symbol anything in [-1, 1], plus or
 * minus an error of its own (algorithms.md 6.3). What several numbers depend on by the same symbol cancels, which
 * intervals forget. Errors of the last step are `fresh`: each becomes a symbol, or not, when the numbers are next used.
 */

export class AffineForms {
  /** How many numbers. */
  readonly size: number
  readonly base: Float64Array
  /** One row of `size` per symbol. */
  rows: Float64Array
  /** How many symbols. */
  count = 0
  /** What is known of no symbol, at least 0. */
  readonly error: Float64Array
  /** The same, of the last step: each number's may become a symbol. */
  readonly fresh: Float64Array

  constructor(size: number, symbols = 0) {
    this.size = size
    this.base = new Float64Array(size)
    this.error = new Float64Array(size)
    this.fresh = new Float64Array(size)
    this.rows = new Float64Array(size * symbols)
  }

  /** Numbers known by so many symbols, none of which they depend on yet. */
  reset(symbols: number): void {
    this.count = 0
    this.error.fill(0)
    this.fresh.fill(0)
    this.reserve(symbols)
    this.count = symbols
    this.rows.fill(0, 0, symbols * this.size)
  }

  /** Room for so many symbols; those that there are stay. */
  reserve(symbols: number): void {
    if (this.rows.length >= symbols * this.size) return
    const rows = new Float64Array(Math.ceil(1.5 * symbols) * this.size)
    rows.set(this.rows.subarray(0, this.count * this.size))
    this.rows = rows
  }

  /** How far each number may be from its base. */
  radii(out: Float64Array): void {
    const { size, count, rows, error, fresh } = this
    for (let i = 0; i < size; i++) out[i] = error[i] + fresh[i]
    for (let r = 0, at = 0; r < count; r++) {
      for (let i = 0; i < size; i++, at++) out[i] += Math.abs(rows[at])
    }
  }

  /** How far one of them may be. */
  radius(i: number): number {
    const { size, count, rows } = this
    let sum = this.error[i] + this.fresh[i]
    for (let r = 0; r < count; r++) sum += Math.abs(rows[r * size + i])
    return sum
  }
}
