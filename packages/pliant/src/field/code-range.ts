/** The code of a posed field: checked when it is set, and compared with the range that was trained. */
export class CodeRange {
  readonly size: number
  readonly current: Float64Array
  readonly #name: string
  readonly #lower: ArrayLike<number>
  readonly #upper: ArrayLike<number>

  constructor(
    name: string,
    { size, lower, upper }: { size: number; lower: ArrayLike<number>; upper: ArrayLike<number> },
  ) {
    this.#name = name
    this.size = size
    this.#lower = lower
    this.#upper = upper
    this.current = new Float64Array(size)
  }

  /** @throws RangeError if the code has another length or is not finite */
  set(code: ArrayLike<number>): void {
    if (code.length !== this.size) {
      throw new RangeError(
        `pose: code has ${code.length} values, ${this.#name} needs ${this.size}; pass the code that 'pliant inspect' describes.`,
      )
    }
    for (let i = 0; i < this.size; i++) {
      if (!Number.isFinite(code[i])) throw new RangeError(`pose: code[${i}] is ${code[i]}; pass finite numbers.`)
      this.current[i] = code[i]
    }
  }

  /** Whether the current code lies in the range. */
  get holds(): boolean {
    // A hair beyond the range is the range: codes arrive as rounded floats.
    return this.current.every((value, i) => {
      const slack = 1e-6 * (this.#upper[i] - this.#lower[i])
      return value >= this.#lower[i] - slack && value <= this.#upper[i] + slack
    })
  }
}
