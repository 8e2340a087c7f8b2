/**
 * A symmetric sparse matrix of 3 x 3 blocks in a WebAssembly memory, in single precision, and the vectors of its solver. A
 * row of a block is four floats, x y z and a zero, and so is a node's part of a vector: one load each.
 *
 * Addresses are in a table at the memory's beginning, so that the same module serves matrices of any size.
 */
import { ARENA_START, type Arena } from '../../wasm/arena.js'
import { record } from '../../wasm/records.js'

/** Addresses and sizes [bytes]. */
export const TABLE = record({
  /** Bytes of a vector: 16 per node. */
  vectorBytes: 'u32',
  /** Three rows per block right of the diagonal, row after row of the matrix. */
  blocks: 'u32',
  /** Byte in a vector of each block's column. */
  columns: 'u32',
  /** Address of each node's first block, and of the end. */
  starts: 'u32',
  /** Three rows per node: the diagonal blocks, and their inverses (zero at fixed nodes). */
  diagonal: 'u32',
  inverse: 'u32',
  // Vectors, named as in sim/fem/block-solver.ts.
  solution: 'u32',
  half: 'u32',
  direction: 'u32',
  way: 'u32',
  image: 'u32',
  rest: 'u32',
  // Where sweeps from the last node to the first begin.
  blocksEnd: 'u32',
  columnsEnd: 'u32',
  startsEnd: 'u32',
  inverseEnd: 'u32',
})

export type TableEntry = keyof typeof TABLE.at

/** Where the table is: `planBlocks` asks for it first. */
export const TABLE_ADDRESS = ARENA_START

export interface BlockPattern {
  nodeCount: number
  /** Where each row's blocks begin; length nodeCount + 1. */
  starts: Int32Array
  /** Column of each block, greater than its row. */
  columns: Int32Array
}

export type BlockAddresses = Record<TableEntry, number>

/** Reserves what the table names. @param arena  of which nothing was taken yet */
export function planBlocks({ nodeCount, columns: { length } }: BlockPattern, arena: Arena): BlockAddresses {
  const table = arena.reserve(TABLE.size / 4)
  if (table !== TABLE_ADDRESS) throw new Error(`blocks: their table is at ${table}; plan them before anything else.`)
  const blocks = arena.reserve(12 * length)
  const columns = arena.reserve(length)
  const starts = arena.reserve(nodeCount + 1)
  const diagonal = arena.reserve(12 * nodeCount)
  const inverse = arena.reserve(12 * nodeCount)
  const vector = (): number => arena.reserve(4 * nodeCount)
  return {
    ...{ vectorBytes: 16 * nodeCount, blocks, columns, starts, diagonal, inverse },
    ...{ solution: vector(), half: vector(), direction: vector(), way: vector(), image: vector(), rest: vector() },
    blocksEnd: blocks + 48 * length,
    columnsEnd: columns + 4 * length,
    startsEnd: starts + 4 * nodeCount,
    inverseEnd: inverse + 48 * nodeCount,
  }
}

/** Writes the table and the pattern. */
export function writePattern(pattern: BlockPattern, addresses: BlockAddresses, memory: WebAssembly.Memory): void {
  TABLE.write(new DataView(memory.buffer), TABLE_ADDRESS, addresses)
  const words = new Int32Array(memory.buffer)
  for (let k = 0; k < pattern.columns.length; k++) words[addresses.columns / 4 + k] = 16 * pattern.columns[k]
  for (let node = 0; node <= pattern.nodeCount; node++) {
    words[addresses.starts / 4 + node] = addresses.blocks + 48 * pattern.starts[node]
  }
}
