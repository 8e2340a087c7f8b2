/**
 * A symmetric sparse matrix of 3 x 3 blocks in a WebAssembly memory, in single precision, and the vectors of its solver. A
 * row of a block is four floats, x y z and a zero, and so is a node's part of a vector: one load each.
 *
 * Addresses are in a table at the memory's beginning, so that the same module serves matrices of any size.
 */

/** Where an address or a size is in the table [32-bit words]. */
export const TABLE = {
  /** Bytes of a vector: 16 per node. */
  vectorBytes: 1,
  /** Three rows per block right of the diagonal, row after row of the matrix. */
  blocks: 2,
  /** Byte in a vector of each block's column. */
  columns: 3,
  /** Address of each node's first block, and of the end. */
  starts: 4,
  /** Three rows per node: the diagonal blocks, and their inverses (zero at fixed nodes). */
  diagonal: 5,
  inverse: 6,
  // Vectors, named as in sim/fem/block-solver.ts.
  solution: 7,
  half: 8,
  direction: 9,
  way: 10,
  image: 11,
  rest: 12,
  // Where sweeps from the last node to the first begin.
  blocksEnd: 13,
  columnsEnd: 14,
  startsEnd: 15,
  inverseEnd: 16,
} as const

export type TableEntry = keyof typeof TABLE

const TABLE_BYTES = 128
const LINE = 64
const PAGE = 65536

/** Takes places in a memory one after the other. */
export class MemoryPlan {
  private end = TABLE_BYTES

  /** @returns the address of `bytes` bytes, on a line of its own */
  reserve(bytes: number): number {
    const address = this.end
    this.end += Math.ceil(bytes / LINE) * LINE
    return address
  }

  /** @throws RangeError if the host has no such memory */
  createMemory(): WebAssembly.Memory {
    const pages = Math.ceil(this.end / PAGE)
    return new WebAssembly.Memory({ initial: pages, maximum: pages })
  }
}

export interface BlockPattern {
  nodeCount: number
  /** Where each row's blocks begin; length nodeCount + 1. */
  starts: Int32Array
  /** Column of each block, greater than its row. */
  columns: Int32Array
}

export type BlockAddresses = Record<TableEntry, number>

export function planBlocks({ nodeCount, columns: { length } }: BlockPattern, plan: MemoryPlan): BlockAddresses {
  const blocks = plan.reserve(48 * length)
  const columns = plan.reserve(4 * length)
  const starts = plan.reserve(4 * (nodeCount + 1))
  const diagonal = plan.reserve(48 * nodeCount)
  const inverse = plan.reserve(48 * nodeCount)
  const vectorBytes = 16 * nodeCount
  return {
    ...{ vectorBytes, blocks, columns, starts, diagonal, inverse },
    solution: plan.reserve(vectorBytes),
    half: plan.reserve(vectorBytes),
    direction: plan.reserve(vectorBytes),
    way: plan.reserve(vectorBytes),
    image: plan.reserve(vectorBytes),
    rest: plan.reserve(vectorBytes),
    blocksEnd: blocks + 48 * length,
    columnsEnd: columns + 4 * length,
    startsEnd: starts + 4 * nodeCount,
    inverseEnd: inverse + 48 * nodeCount,
  }
}

/** Writes the table and the pattern. */
export function writePattern(pattern: BlockPattern, addresses: BlockAddresses, memory: WebAssembly.Memory): void {
  const words = new Int32Array(memory.buffer)
  for (const name of Object.keys(TABLE) as TableEntry[]) words[TABLE[name]] = addresses[name]
  for (let k = 0; k < pattern.columns.length; k++) words[addresses.columns / 4 + k] = 16 * pattern.columns[k]
  for (let node = 0; node <= pattern.nodeCount; node++) {
    words[addresses.starts / 4 + node] = addresses.blocks + 48 * pattern.starts[node]
  }
}
