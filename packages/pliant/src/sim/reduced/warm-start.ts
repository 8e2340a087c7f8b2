/**
 * Impulses of the last substep as a first guess for this one. Rows come in the same order each time and their keys ascend,
 * so one pass over both lists finds what was there before; a row out of order merely starts from zero.
 */
import { type ConstraintRows, grown } from './constraint-rows.js'

export class WarmStart {
  private count = 0
  private keys = new Float64Array(0)
  private impulses = new Float64Array(0)
  private h = 0

  /** Writes a first guess. An impulse is a force times the substep, so it grows with that. */
  begin(rows: ConstraintRows, impulses: Float64Array, h: number): void {
    const scale = this.h > 0 ? h / this.h : 0
    for (let row = 0, old = 0; row < rows.count; row++) {
      while (old < this.count && this.keys[old] < rows.keys[row]) old++
      if (old < this.count && this.keys[old] === rows.keys[row]) impulses[row] = scale * this.impulses[old]
    }
  }

  /** What a row gave; 0 if there was none of that key. */
  impulseOf(key: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.keys[middle] < key) low = middle + 1
      else high = middle
    }
    return low < this.count && this.keys[low] === key ? this.impulses[low] : 0
  }

  keep(rows: ConstraintRows, impulses: Float64Array, h: number): void {
    if (this.keys.length < rows.count) {
      this.keys = grown(this.keys, rows.count)
      this.impulses = grown(this.impulses, rows.count)
    }
    for (let row = 0; row < rows.count; row++) {
      this.keys[row] = rows.keys[row]
      this.impulses[row] = impulses[row]
    }
    this.count = rows.count
    this.h = h
  }

  forget(): void {
    this.count = 0
  }
}
