/** Where the code has been lately. */

/** Codes that are kept: some four seconds. */
export const TRAIL = 240

export class Trail {
  readonly #codes: Float64Array[] = []

  /** The oldest first. */
  get codes(): readonly Float64Array[] {
    return this.#codes
  }

  add(code: Float64Array): void {
    this.#codes.push(code)
    if (this.#codes.length > TRAIL) this.#codes.shift()
  }

  clear(): void {
    this.#codes.length = 0
  }
}
