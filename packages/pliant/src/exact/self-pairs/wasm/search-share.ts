/** How far a search has come, told by what waits. */
import { CHILDREN, type PackedTree } from '../packed-tree.js'
import type { Addresses } from './pair-memory.js'
import { ENTRY, NODE, WAITING } from './pair-records.js'

/**
 * The mean of two shares: that of the pairs of triangles that are settled is fair to surfaces that meet themselves
 * everywhere, that of entries of the plan to ordinary ones.
 * @param words    the kernels' memory
 * @param entries  how many there are
 * @returns the share, from the addresses of the entry that is next and of the top of the stack
 */
export function shareDone(
  tree: PackedTree,
  at: Addresses,
  words: Uint32Array,
  entries: number,
): (entry: number, top: number) => number {
  const sizes = trianglesBelow(tree)
  const sizeAt = (word: number): number => sizes[(words[word] - at.nodes) / NODE.size]
  const pairsAt = (record: number): number => sizeAt(record / 4) * sizeAt(record / 4 + 1)
  const pairsFrom = new Float64Array(entries + 1)
  for (let i = entries - 1; i >= 0; i--) pairsFrom[i] = pairsFrom[i + 1] + pairsAt(at.entries + i * ENTRY.size)
  return (entry, top) => {
    const next = (entry - at.entries) / ENTRY.size
    let pairs = pairsFrom[next]
    for (let waiting = at.stack; waiting < top; waiting += WAITING.size) pairs += pairsAt(waiting)
    return (Math.max(0, 1 - pairs / pairsFrom[0]) + next / entries) / 2
  }
}

/** Triangles of each node. */
function trianglesBelow({ levels, nodeCount, triangleOfSlot }: PackedTree): Uint32Array {
  const sizes = new Uint32Array(nodeCount)
  for (const [level, { first, count }] of levels.entries()) {
    const width = CHILDREN ** (level + 1)
    for (let n = 0; n < count; n++) sizes[first + n] = Math.min(width, triangleOfSlot.length - n * width)
  }
  return sizes
}
