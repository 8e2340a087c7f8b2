/** A queue that hands out the item of the least key first: a binary heap in arrays of fixed size, so that nothing is made anew. */
export class LeastFirst {
  readonly #keys: Float64Array
  readonly #items: Int32Array
  #count = 0

  /** @param capacity  most items that are in it at a time */
  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#items = new Int32Array(capacity)
  }

  get size(): number {
    return this.#count
  }

  /** The least key; there must be one. */
  get least(): number {
    return this.#keys[0]
  }

  clear(): void {
    this.#count = 0
  }

  push(key: number, item: number): void {
    const [keys, items] = [this.#keys, this.#items]
    let at = this.#count++
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above] <= key) break
      keys[at] = keys[above]
      items[at] = items[above]
      at = above
    }
    keys[at] = key
    items[at] = item
  }

  /** Takes the item of the least key out; there must be one. */
  pop(): number {
    const [keys, items] = [this.#keys, this.#items]
    const least = items[0]
    const count = --this.#count
    const [key, item] = [keys[count], items[count]]
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= count) break
      if (below + 1 < count && keys[below + 1] < keys[below]) below++
      if (key <= keys[below]) break
      keys[at] = keys[below]
      items[at] = items[below]
      at = below
    }
    keys[at] = key
    items[at] = item
    return least
  }
}
