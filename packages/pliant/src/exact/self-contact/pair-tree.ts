/**
 * The pairs of triangles that may meet at some code in the box, as a tree of pairs of nodes: a query goes through it in one
 * array, and jumps over what lies apart. Pairs that `SeparatedPairs` rules out are not in it. Near parts are listed
 * down to pairs of triangles, each of which was searched for a direction; far ones end at pairs of small nodes, since
 * all pairs of a surface that can bend onto itself would be a list as long as the square of its triangles.
 */
import type { SeparatedPairs } from './separated-pairs.js'
import type { TriangleNodes } from './triangle-nodes.js'

export interface PairTree {
  /** Nodes of each entry, in depth-first order. */
  nodeA: Int32Array
  nodeB: Int32Array
  /** Entry to go on with where this one's nodes lie apart. */
  next: Int32Array
  /** Whether no entries lie below: every triangle of one node may meet every one of the other. */
  isLast: Uint8Array
  /** Most pairs of triangles of one last entry. */
  mostPairs: number
}

/**
 * @param separated  with the nodes as its sets
 * @param farSize    triangles of nodes at which far parts may end
 */
export function buildPairTree(
  { right, size, triangle }: TriangleNodes,
  triangles: Uint32Array,
  separated: SeparatedPairs,
  farSize: number,
): PairTree {
  const nodeA: number[] = []
  const nodeB: number[] = []
  const next: number[] = []
  const isLast: number[] = []
  let mostPairs = 1

  const shareVertex = (a: number, b: number): boolean => {
    for (let i = 3 * a; i < 3 * a + 3; i++) {
      for (let j = 3 * b; j < 3 * b + 3; j++) if (triangles[i] === triangles[j]) return true
    }
    return false
  }
  const add = (a: number, b: number, last: boolean): number => {
    nodeA.push(a)
    nodeB.push(b)
    isLast.push(Number(last))
    return next.push(nodeA.length) - 1
  }
  const visit = (a: number, b: number): void => {
    if (a !== b && separated.areSetsApart(a, b)) return
    const areLeaves = right[a] === 0 && right[b] === 0
    const isFar = a !== b && !separated.areSetsNear(a, b)
    if (isFar && (areLeaves || Math.max(size[a], size[b]) <= farSize)) {
      add(a, b, true)
      mostPairs = Math.max(mostPairs, size[a] * size[b])
      return
    }
    if (areLeaves) {
      // The search for a direction pays only where triangles are neighbours and move alike.
      const [s, t] = [triangle[a], triangle[b]]
      if (s !== t && !shareVertex(s, t) && !separated.areTrianglesApart(triangles, 3 * s, 3 * t)) add(a, b, true)
      return
    }
    const entry = add(a, b, false)
    if (a === b) {
      visit(a + 1, a + 1)
      visit(right[a], right[a])
      visit(a + 1, right[a])
    } else {
      // The node with more triangles: the pair becomes smaller fastest. A leaf never has more.
      const [open, kept] = size[a] >= size[b] ? [a, b] : [b, a]
      visit(open + 1, kept)
      visit(right[open], kept)
    }
    if (nodeA.length > entry + 1) next[entry] = nodeA.length
    else for (const column of [nodeA, nodeB, next, isLast]) column.pop()
  }
  visit(0, 0)
  return {
    nodeA: Int32Array.from(nodeA),
    nodeB: Int32Array.from(nodeB),
    next: Int32Array.from(next),
    isLast: Uint8Array.from(isLast),
    mostPairs,
  }
}
