/**
 * Which nodes of a symmetric matrix are neighbours, a node being `block` unknowns in a row: an elastic body has three
 * for each of its nodes, which always come together, so ordering and analysis see a ninth of the entries.
 */
import type { SparseMatrix } from './sparse-matrix.js'

export interface NodeGraph {
  nodeCount: number
  /** Where each node's neighbours begin; length nodeCount + 1. */
  starts: Int32Array
  /** Neighbours, ascending, without the node itself. */
  neighbours: Int32Array
}

/** @throws RangeError if the unknowns are no multiple of the block, or the pattern is not symmetric */
export function nodeGraph({ size, starts, columns }: SparseMatrix, block: number): NodeGraph {
  if (!(Number.isInteger(block) && block > 0 && size % block === 0)) {
    throw new RangeError(`sparse matrix: ${size} unknowns in blocks of ${block}; give a divisor of ${size}.`)
  }
  const nodeCount = size / block
  const nodeStarts = new Int32Array(nodeCount + 1)
  const seen = new Int32Array(nodeCount).fill(-1)
  const neighbours: number[] = []
  for (let node = 0; node < nodeCount; node++) {
    nodeStarts[node] = neighbours.length
    seen[node] = node
    for (let at = starts[block * node]; at < starts[block * (node + 1)]; at++) {
      const other = Math.floor(columns[at] / block)
      if (seen[other] === node) continue
      seen[other] = node
      neighbours.push(other)
    }
  }
  nodeStarts[nodeCount] = neighbours.length
  const graph = { nodeCount, starts: nodeStarts, neighbours: Int32Array.from(neighbours) }
  for (let node = 0; node < nodeCount; node++) graph.neighbours.subarray(nodeStarts[node], nodeStarts[node + 1]).sort()
  checkSymmetry(graph)
  return graph
}

/** Edges met from lower to higher node must be met in the same order from the other end. */
function checkSymmetry({ nodeCount, starts, neighbours }: NodeGraph): void {
  const next = starts.slice(0, nodeCount)
  for (let node = 0; node < nodeCount; node++) {
    for (let at = starts[node]; at < starts[node + 1]; at++) {
      const other = neighbours[at]
      if (next[other] < starts[other + 1] && neighbours[next[other]] === node) next[other]++
      else
        throw new RangeError(
          `sparse matrix: node ${node} has an entry for node ${other}, not the other way; store both halves.`,
        )
    }
  }
}
