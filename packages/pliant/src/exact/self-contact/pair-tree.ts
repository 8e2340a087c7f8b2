/**
 * The pairs of triangles that may meet at some code in the box, as a tree of pairs of boxes: a query goes through it in one
 * array, and jumps over what lies apart. Pairs that `SeparatedPairs` rules out are not in it.
 */
import type { TriangleTree } from '../triangle-tree.js'
import type { SeparatedPairs } from './separated-pairs.js'

export interface PairTree {
  /** Nodes of the triangle tree of each entry, in depth-first order. */
  nodeA: Int32Array
  nodeB: Int32Array
  /** Entry to go on with where the boxes of this one lie apart. */
  next: Int32Array
  /** Whether every triangle of one node is to be tested with every one of the other: leaves that lie far apart. */
  isWhole: Uint8Array
  /** Where an entry's list of pairs begins; it ends where that of the next one begins. Only leaves that lie near have one. */
  firstPair: Int32Array
  /** Slots of the triangle tree, two per pair. */
  pairs: Int32Array
}

/** @param separated  with the nodes of the tree as its sets */
export function buildPairTree(tree: TriangleTree, separated: SeparatedPairs): PairTree {
  const entries: { a: number; b: number; next: number; isWhole: boolean; firstPair: number }[] = []
  const pairs: number[] = []
  let whole = 0
  const { right, first, end, vertices } = tree
  const isLeaf = (node: number): boolean => right[node] === 0
  const corners = (slot: number): Uint32Array => vertices.subarray(3 * slot, 3 * slot + 3)

  const addPairs = (a: number, b: number): void => {
    for (let s = first[a]; s < end[a]; s++) {
      for (let t = a === b ? s + 1 : first[b]; t < end[b]; t++) {
        const [cs, ct] = [corners(s), corners(t)]
        if (cs.some((v) => v === ct[0] || v === ct[1] || v === ct[2])) continue
        if (!separated.areTrianglesApart(cs, ct)) pairs.push(s, t)
      }
    }
  }
  const visit = (a: number, b: number): void => {
    if (a !== b && separated.areSetsApart(a, b)) return
    const entry = entries.length
    const pairsBefore = pairs.length
    const wholeBefore = whole
    const areLeaves = isLeaf(a) && isLeaf(b)
    // The search for a direction pays only where triangles are neighbours and move alike.
    const isWhole = areLeaves && a !== b && !separated.areSetsNear(a, b)
    entries.push({ a, b, next: 0, isWhole, firstPair: pairsBefore / 2 })
    if (isWhole) whole++
    else if (areLeaves) addPairs(a, b)
    else if (a === b) {
      visit(a + 1, a + 1)
      visit(right[a], right[a])
      visit(a + 1, right[a])
    } else {
      const openA = isLeaf(b) || (!isLeaf(a) && end[a] - first[a] >= end[b] - first[b])
      const [open, kept] = openA ? [a, b] : [b, a]
      visit(open + 1, kept)
      visit(right[open], kept)
    }
    if (pairs.length === pairsBefore && whole === wholeBefore) entries.length = entry
    else entries[entry].next = entries.length
  }
  visit(0, 0)
  const column = (of: (entry: (typeof entries)[number]) => number): Int32Array => Int32Array.from(entries, of)
  return {
    nodeA: column(({ a }) => a),
    nodeB: column(({ b }) => b),
    next: column(({ next }) => next),
    isWhole: Uint8Array.from(entries, ({ isWhole }) => Number(isWhole)),
    firstPair: Int32Array.from([...entries.map(({ firstPair }) => firstPair), pairs.length / 2]),
    pairs: Int32Array.from(pairs),
  }
}
