/**
 * Typed arrays that grow. Readers fill these instead of allocating from a count that a file declares: memory follows
 * the bytes that are really there.
 */
const FIRST_CAPACITY = 1024

export class FloatList {
  private values = new Float64Array(FIRST_CAPACITY)
  length = 0

  push3(x: number, y: number, z: number): void {
    if (this.length + 3 > this.values.length) {
      const grown = new Float64Array(2 * this.values.length)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = x
    this.values[this.length++] = y
    this.values[this.length++] = z
  }

  /** A copy of what was pushed, of exact length. */
  toArray(): Float64Array {
    return this.values.slice(0, this.length)
  }
}

export class IndexList {
  private values = new Uint32Array(FIRST_CAPACITY)
  length = 0

  push(index: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(2 * this.values.length)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = index
  }

  get(position: number): number {
    return this.values[position]
  }

  /** A copy of what was pushed, of exact length. */
  toArray(): Uint32Array {
    return this.values.slice(0, this.length)
  }
}
