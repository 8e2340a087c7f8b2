/**
 * Symbolic analysis of a sparse Cholesky factorisation: where the factor has entries, as supernodes, which are runs of
 * columns with (nearly) the same rows and so dense panels. Elimination tree and postorder after Liu (1990), merging of
 * small supernodes as CHOLMOD does (Chen, Davis, Hager and Rajamanickam 2008). All in nodes, not unknowns.
 */
import type { NodeGraph } from './node-graph.js'

export interface Supernodes {
  /** Node that is eliminated k-th. */
  order: Int32Array
  /** First column of each supernode, and the number of columns at the end: columns are nodes in elimination order. */
  firsts: Int32Array
  /** Where each supernode's rows begin in `rows`. */
  rowStarts: Int32Array
  /** Rows of each supernode, ascending, its own columns first. */
  rows: Int32Array
  /** Supernode of each column. */
  ofColumn: Int32Array
}

/**
 * Two neighbouring supernodes become one if the panel then has at most so many columns and so large a share of zeros:
 * short panels cost more in bookkeeping than the zeros do. Columns are nodes of three unknowns.
 */
const MERGE_RULES = [
  { columns: 2, zeros: 1 },
  { columns: 4, zeros: 0.3 },
  { columns: 16, zeros: 0.1 },
  { columns: Number.POSITIVE_INFINITY, zeros: 0.03 },
] as const

/** Wider panels are cut, so that a tile's operands stay in the processor's cache. */
const WIDEST = 32

export function findSupernodes(graph: NodeGraph, eliminationOrder: Int32Array): Supernodes {
  const parents = eliminationTree(graph, eliminationOrder)
  const postorder = postorderOf(parents)
  const order = postorder.map((column) => eliminationOrder[column])
  const positionOf = invert(postorder)
  const tree = postorder.map((column) => (parents[column] < 0 ? -1 : positionOf[parents[column]]))
  const below = columnStructures(graph, order, tree)
  const spans = cutWide(mergeSpans(fundamentalSpans(tree, below), tree))
  const firsts = Int32Array.from([...spans.map((span) => span.first), order.length])
  const rowStarts = new Int32Array(firsts.length)
  const rows: number[] = []
  const ofColumn = new Int32Array(order.length)
  spans.forEach(({ first, end, rowsAfter }, supernode) => {
    rowStarts[supernode] = rows.length
    for (let column = first; column < end; column++) {
      rows.push(column)
      ofColumn[column] = supernode
    }
    for (const row of rowsAfter) rows.push(row)
  })
  rowStarts[spans.length] = rows.length
  return { order, firsts, rowStarts, rows: Int32Array.from(rows), ofColumn }
}

/** Parent of each column: the first row below its diagonal in the factor, or -1. */
function eliminationTree({ nodeCount, starts, neighbours }: NodeGraph, order: Int32Array): Int32Array {
  const columnOf = invert(order)
  const parents = new Int32Array(nodeCount).fill(-1)
  // Shortcuts towards the root of what is built so far.
  const ancestors = new Int32Array(nodeCount).fill(-1)
  for (let column = 0; column < nodeCount; column++) {
    const node = order[column]
    for (let at = starts[node]; at < starts[node + 1]; at++) {
      let below = columnOf[neighbours[at]]
      while (below >= 0 && below < column) {
        const next = ancestors[below]
        ancestors[below] = column
        if (next < 0) parents[below] = column
        below = next
      }
    }
  }
  return parents
}

/** Columns so that each comes after its children, and a subtree without gaps. */
function postorderOf(parents: Int32Array): Int32Array {
  const children: number[][] = Array.from(parents, () => [])
  const stack: number[] = []
  for (let column = parents.length - 1; column >= 0; column--) {
    if (parents[column] >= 0) children[parents[column]].push(column)
    else stack.push(column)
  }
  const order = new Int32Array(parents.length)
  let place = parents.length
  // Parents are written from the end, so each subtree fills the places before its root.
  stack.reverse()
  while (stack.length > 0) {
    const column = stack.pop() as number
    order[--place] = column
    stack.push(...children[column].reverse())
  }
  return order
}

/** Rows below the diagonal of each column of the factor, ascending. */
function columnStructures({ starts, neighbours }: NodeGraph, order: Int32Array, parents: Int32Array): Int32Array[] {
  const count = order.length
  const columnOf = invert(order)
  const seen = new Int32Array(count).fill(-1)
  const children: number[][] = Array.from({ length: count }, () => [])
  const below: Int32Array[] = []
  for (let column = 0; column < count; column++) {
    const rows: number[] = []
    const take = (row: number): void => {
      if (row <= column || seen[row] === column) return
      seen[row] = column
      rows.push(row)
    }
    for (let at = starts[order[column]]; at < starts[order[column] + 1]; at++) take(columnOf[neighbours[at]])
    for (const child of children[column]) for (const row of below[child]) take(row)
    below.push(Int32Array.from(rows).sort())
    if (parents[column] >= 0) children[parents[column]].push(column)
  }
  return below
}

/** Columns first ... end - 1 with their common rows after them, and how many entries of the panel are zero. */
interface Span {
  first: number
  end: number
  rowsAfter: Int32Array
  zeros: number
}

function fundamentalSpans(parents: Int32Array, below: readonly Int32Array[]): Span[] {
  const spans: Span[] = []
  for (let column = 0; column < parents.length; column++) {
    const last = spans.at(-1)
    if (last && parents[column - 1] === column && below[column - 1].length === below[column].length + 1) {
      last.end = column + 1
      last.rowsAfter = below[column]
    } else spans.push({ first: column, end: column + 1, rowsAfter: below[column], zeros: 0 })
  }
  return spans
}

/** Merges a span into the one after it, if that is its parent in the tree and the rules allow. */
function mergeSpans(spans: readonly Span[], parents: Int32Array): Span[] {
  const merged: Span[] = []
  for (const span of spans) {
    let current = span
    for (let child = merged.at(-1); child !== undefined; child = merged.at(-1)) {
      if (parents[child.end - 1] < current.first || parents[child.end - 1] >= current.end) break
      const together = joinSpans(child, current)
      const columns = together.end - together.first
      const entries = (columns * (columns + 1)) / 2 + columns * together.rowsAfter.length
      if (!MERGE_RULES.some((rule) => columns <= rule.columns && together.zeros <= rule.zeros * entries)) break
      merged.pop()
      current = together
    }
    merged.push(current)
  }
  return merged
}

function joinSpans(child: Span, parent: Span): Span {
  const childColumns = child.end - child.first
  const full = parent.end - parent.first + parent.rowsAfter.length
  const zeros = child.zeros + parent.zeros + childColumns * (full - child.rowsAfter.length)
  return { first: child.first, end: parent.end, rowsAfter: parent.rowsAfter, zeros }
}

function cutWide(spans: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const columns = span.end - span.first
    const parts = Math.ceil(columns / WIDEST)
    return Array.from({ length: parts }, (_, part) => {
      const first = span.first + Math.floor((columns * part) / parts)
      const end = span.first + Math.floor((columns * (part + 1)) / parts)
      const own = Int32Array.from({ length: span.end - end }, (__, k) => end + k)
      return { first, end, rowsAfter: Int32Array.from([...own, ...span.rowsAfter]), zeros: 0 }
    })
  })
}

function invert(order: Int32Array): Int32Array {
  const places = new Int32Array(order.length)
  for (let k = 0; k < order.length; k++) places[order[k]] = k
  return places
}
