/** Places data one after the other in a WebAssembly memory that is created once everything has its place. */

/** The width of a cache line and of a panel of 16 floats [bytes]. */
const LINE = 64
const PAGE = 65536

export class Arena {
  #end = LINE
  readonly #contents: { address: number; words: Float32Array | Int32Array }[] = []

  /** Room for `count` 32-bit words, zero at first. */
  reserve(count: number): number {
    const address = this.#end
    this.#end += Math.ceil((4 * count) / LINE) * LINE
    return address
  }

  /** Room with contents, written by `createMemory`; the array may still be filled until then. */
  place(words: Float32Array | Int32Array): number {
    const address = this.reserve(words.length)
    this.#contents.push({ address, words })
    return address
  }

  /** @throws RangeError if everything together exceeds what 32 bits can address or the host can give */
  createMemory(shared: boolean): WebAssembly.Memory {
    // One line more: kernels may read, never use, up to a vector past the last array.
    const pages = Math.ceil((this.#end + LINE) / PAGE)
    if (pages > 65536) {
      throw new RangeError(`network: needs ${Math.round(pages / 16384)} GiB of memory; WebAssembly has 4 at most.`)
    }
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared })
    for (const { address, words } of this.#contents) {
      const view = words instanceof Float32Array ? Float32Array : Int32Array
      new view(memory.buffer, address, words.length).set(words)
    }
    return memory
  }
}
