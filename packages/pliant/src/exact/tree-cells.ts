/** Cells of a tree: its largest nodes of few triangles, for what is remembered of groups of triangles instead of each. */
import type { TriangleTree } from './triangle-tree.js'

export interface TreeCells {
  /** Of each node the number of its cell, `ABOVE_CELLS` if it has more than one. */
  cellOf: Int32Array
  /** Where the slots of each cell begin, and where the last ends. */
  slots: Int32Array
}

export const ABOVE_CELLS = -1

/**
 * @param most  triangles of a cell, but for leaves that have more,
 * @param size  and for nodes whose boxes are no larger across [m]
 */
export function cellsOf({ nodeCount, first, end, right, bounds }: TriangleTree, most: number, size = 0): TreeCells {
  const cellOf = new Int32Array(nodeCount).fill(ABOVE_CELLS)
  const slots: number[] = []
  // Nodes are in depth-first order: whatever is above is known, and slots of cells follow each other.
  for (let node = 0; node < nodeCount; node++) {
    const isLeaf = right[node] === 0
    const isSmall = end[node] - first[node] <= most || across(bounds, 6 * node) <= size
    if (cellOf[node] === ABOVE_CELLS && (isLeaf || isSmall)) {
      cellOf[node] = slots.push(first[node]) - 1
    }
    if (isLeaf) continue
    cellOf[node + 1] = cellOf[node]
    cellOf[right[node]] = cellOf[node]
  }
  return { cellOf, slots: Int32Array.from([...slots, end[0]]) }
}

function across(b: Float64Array, o: number): number {
  return Math.hypot(b[o + 3] - b[o], b[o + 4] - b[o + 1], b[o + 5] - b[o + 2])
}
