/** Median of the last few measurements: one slow round, a garbage collection say, does not show. */
export class RollingMedian {
  readonly #values: number[] = []
  readonly #window: number

  constructor(window: number) {
    this.#window = window
  }

  get count(): number {
    return this.#values.length
  }

  /** The mean of the middle two for an even count; NaN before the first value. */
  get value(): number {
    const sorted = [...this.#values].sort((a, b) => a - b)
    const half = sorted.length >> 1
    return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }

  /** The value that a share of the last ones, 0 to 1, lies below, by linear interpolation; NaN before the first value. */
  quantile(share: number): number {
    const sorted = [...this.#values].sort((a, b) => a - b)
    const at = share * (sorted.length - 1)
    const low = Math.floor(at)
    const high = Math.min(low + 1, sorted.length - 1)
    return sorted.length === 0 ? Number.NaN : sorted[low] + (at - low) * (sorted[high] - sorted[low])
  }

  add(value: number): void {
    this.#values.push(value)
    if (this.#values.length > this.#window) this.#values.shift()
  }
}
