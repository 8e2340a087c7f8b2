/** Places data one after the other in a WebAssembly memory that is created once everything has its place. */

/** The width of a cache line and of a panel of 16 floats [bytes]. */
const LINE = 64
const PAGE = 65536

/** Where the first thing goes that an arena is asked for: beyond zero, which means nowhere. */
export const ARENA_START = LINE

/** Addresses from `start` up to, without, `end` [bytes]. */
export interface Region {
  start: number
  end: number
}

export class Arena {
  /** Everything that was reserved, in whole lines. */
  readonly regions: Region[] = []
  #end = ARENA_START
  readonly #contents: { address: number; words: Float32Array | Int32Array }[] = []
  readonly #gap: number

  /** @param hasGaps  leaves a line free behind everything, for tests that watch who reaches beyond his own */
  constructor(hasGaps = false) {
    this.#gap = hasGaps ? LINE : 0
  }

  /** Room for `count` 32-bit words, zero at first; it begins a line and takes whole ones. */
  reserve(count: number): number {
    const start = this.#end
    const end = start + Math.ceil((4 * count) / LINE) * LINE
    this.regions.push({ start, end })
    this.#end = end + this.#gap
    return start
  }

  /** Room with contents, written by `createMemory`; the array may still be filled until then. */
  place(words: Float32Array | Int32Array): number {
    const address = this.reserve(words.length)
    this.#contents.push({ address, words })
    return address
  }

  /** @throws RangeError if everything together exceeds what 32 bits can address or the host can give */
  createMemory(shared = false): WebAssembly.Memory {
    // One line more: kernels may read, never use, up to a vector past the last array.
    const pages = Math.ceil((this.#end + LINE) / PAGE)
    if (pages > 65536) {
      throw new RangeError(`memory: ${Math.round(pages / 16384)} GiB are needed; WebAssembly has 4 at most.`)
    }
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared })
    for (const { address, words } of this.#contents) {
      const view = words instanceof Float32Array ? Float32Array : Int32Array
      new view(memory.buffer, address, words.length).set(words)
    }
    return memory
  }
}
