/**
 * Pairs of triangles that meet, by a tree of exact boxes that is traversed against itself: the twin of `wasm/simd-pairs.ts`
 * in plain code.
 */
import type { Floats } from '../../math/floats.js'
import type { OnProgress } from '../../math/progress.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { cellsOf } from '../tree-cells.js'
import { MAX_TREE_DEPTH, TriangleTree } from '../triangle-tree.js'
import { trianglesMeet } from '../triangle-triangle.js'
import { shareVertex } from './pair-plan.js'
import type { PairRule } from './pair-rule.js'
import type { Meeting, PairSearch } from './pair-search.js'

/** Triangles per leaf: 1 to 8 measured within 30% of each other, 4 the fastest. */
const LEAF_SIZE = 4

/**
 * Triangles of a cell, or what the rule says, and cells at most: what is told of two cells is one bit. A rule that leaves a neighbourhood of
 * every triangle alone settles most of what lies next to each other by these.
 */
const CELL_SIZE = 8
const MOST_CELLS = 8192

/** Pairs of triangles or nodes looked at between two words of progress: some milliseconds. */
const PROGRESS_PAIRS = 65_536

export class ScalarPairs implements PairSearch {
  private readonly tree: TriangleTree
  /** Corner identities by slot: equal numbers mean a shared vertex. */
  private readonly shared: Uint32Array
  /** Box of each slot's triangle, six numbers each. */
  private readonly boxes: Float64Array
  private readonly slotOfTriangle: Uint32Array
  /** Two nodes per entry; a path opens each of two nodes at most `MAX_TREE_DEPTH` times and leaves two entries a step. */
  private readonly stack = new Int32Array(8 * MAX_TREE_DEPTH + 16)
  private readonly partsOfNode: NodeParts | undefined
  private readonly cells: NeighbourCells | undefined

  /** @param shared  numbers of vertices by which triangles are told to share one */
  constructor(
    mesh: TriangleMesh,
    private readonly rule: PairRule | undefined,
    shared: ArrayLike<number> | undefined,
  ) {
    this.tree = new TriangleTree(mesh, LEAF_SIZE)
    const { vertices, triangleOfSlot } = this.tree
    this.shared = shared ? vertices.map((v) => shared[v]) : vertices
    this.boxes = new Float64Array(2 * vertices.length)
    this.slotOfTriangle = new Uint32Array(triangleOfSlot.length)
    for (const [slot, triangle] of triangleOfSlot.entries()) this.slotOfTriangle[triangle] = slot
    this.partsOfNode = rule && partsOfNodes(this.tree, rule)
    this.cells = rule && neighbourCells(this.tree, rule)
    this.fitBoxes()
  }

  moveTo(positions: Floats): void {
    this.tree.refit(positions)
    this.fitBoxes()
  }

  writeCorners(triangle: number, out: Float64Array, at: number): void {
    const from = 9 * this.slotOfTriangle[triangle]
    for (let k = 0; k < 9; k++) out[at + k] = this.tree.corners[from + k]
  }

  search(meet: Meeting, onProgress?: OnProgress): void {
    const { stack } = this
    const { bounds, right, first, end, triangleOfSlot } = this.tree
    const progress = onProgress && settledPairs(triangleOfSlot.length, onProgress)
    let depth = 0
    stack[depth++] = 0
    stack[depth++] = 0
    while (depth > 0) {
      const b = stack[--depth]
      const a = stack[--depth]
      if (this.leavesNodes(a, b)) continue
      if (a === b) {
        if (right[a] === 0) {
          if (!this.testWithin(first[a], end[a], meet, progress)) return
          continue
        }
        const l = a + 1
        const r = right[a]
        if (boxesOverlap(bounds, 6 * l, bounds, 6 * r)) {
          stack[depth++] = l
          stack[depth++] = r
        } else progress?.((end[l] - first[l]) * (end[r] - first[r]), 1)
        stack[depth++] = r
        stack[depth++] = r
        stack[depth++] = l
        stack[depth++] = l
        continue
      }
      if (right[a] === 0 && right[b] === 0) {
        if (!this.testBetween(first[a], end[a], first[b], end[b], meet, progress)) return
        continue
      }
      // Open the node with more triangles: the pair becomes smaller fastest.
      const openA = right[b] === 0 || (right[a] !== 0 && end[a] - first[a] >= end[b] - first[b])
      const open = openA ? a : b
      const kept = openA ? b : a
      for (let side = 0; side < 2; side++) {
        const child = side === 0 ? open + 1 : right[open]
        if (boxesOverlap(bounds, 6 * child, bounds, 6 * kept)) {
          stack[depth++] = child
          stack[depth++] = kept
        } else progress?.((end[child] - first[child]) * (end[kept] - first[kept]), 1)
      }
    }
  }

  /** @returns whether to go on */
  private testWithin(from: number, to: number, meet: Meeting, progress?: Settled): boolean {
    for (let s = from; s < to; s++) if (!this.testBetween(s, s + 1, s + 1, to, meet, progress)) return false
    return true
  }

  private testBetween(
    from: number,
    to: number,
    otherFrom: number,
    otherTo: number,
    meet: Meeting,
    progress?: Settled,
  ): boolean {
    const { boxes, shared, rule } = this
    const { corners: c, triangleOfSlot } = this.tree
    for (let s = from; s < to; s++) {
      for (let t = otherFrom; t < otherTo; t++) {
        if (!boxesOverlap(boxes, 6 * s, boxes, 6 * t)) continue
        if (shareVertex(shared, 3 * s, 3 * t)) continue
        if (!trianglesMeet(c, 9 * s, c, 9 * t)) continue
        const [a, b] = [triangleOfSlot[s], triangleOfSlot[t]]
        if (rule?.leavesAlone(a, b)) continue
        if (!meet(a, b)) return false
      }
      // Triangles that no box tells apart share one leaf, however many they are.
      progress?.(otherTo - otherFrom, otherTo - otherFrom)
    }
    return true
  }

  /** Whether everything below two nodes is left alone: cells that are, or every part of one with every part of the other. */
  private leavesNodes(a: number, b: number): boolean {
    if (!this.partsOfNode) return false
    if (this.cells) {
      const { cellOf, count, left } = this.cells
      if (cellOf[a] >= 0 && cellOf[b] >= 0) {
        const bit = cellOf[a] * count + cellOf[b]
        if (((left[bit >>> 5] >>> (bit & 31)) & 1) === 1) return true
      }
    }
    const { words, parts, left } = this.partsOfNode
    for (let w = 0; w < words; w++) if ((parts[a * words + w] & ~left[b * words + w]) !== 0) return false
    return true
  }

  private fitBoxes(): void {
    const { boxes } = this
    const c = this.tree.corners
    for (let slot = 0, o = 0, b = 0; slot < this.tree.triangleOfSlot.length; slot++, o += 9, b += 6) {
      for (let axis = 0; axis < 3; axis++) {
        const x = c[o + axis]
        const y = c[o + 3 + axis]
        const z = c[o + 6 + axis]
        boxes[b + axis] = Math.min(x, y, z)
        boxes[b + 3 + axis] = Math.max(x, y, z)
      }
    }
  }
}

/** Cells of a tree, and which of them are left alone with each other, one bit for each two. */
interface NeighbourCells {
  cellOf: Int32Array
  count: number
  left: Uint32Array
}

function neighbourCells(tree: TriangleTree, rule: PairRule): NeighbourCells | undefined {
  if (!rule.leavesGroups) return undefined
  const { triangleOfSlot } = tree
  const most = Math.max(CELL_SIZE, Math.ceil((2 * triangleOfSlot.length) / MOST_CELLS))
  const { cellOf, slots } = cellsOf(tree, most, rule.groupSize)
  const count = slots.length - 1
  const groups = Array.from({ length: count }, (_, cell) => triangleOfSlot.subarray(slots[cell], slots[cell + 1]))
  return { cellOf, count, left: rule.leavesGroups(groups) }
}

/** Sets of parts as bits, so many words for each node. */
interface NodeParts {
  words: number
  /** Parts that triangles below are of. */
  parts: Int32Array
  /** Parts that are left alone by every one of these. */
  left: Int32Array
}

function partsOfNodes({ nodeCount, right, first, end, triangleOfSlot }: TriangleTree, rule: PairRule): NodeParts {
  const { parts: partOf, partCount, leavesParts } = rule
  const words = Math.ceil(partCount / 32)
  const parts = new Int32Array(nodeCount * words)
  const left = new Int32Array(nodeCount * words).fill(-1)
  const leftBy = new Int32Array(partCount * words)
  for (let i = 0; i < partCount ** 2; i++) {
    const part = i % partCount
    if (leavesParts[i] === 1) leftBy[Math.trunc(i / partCount) * words + (part >> 5)] |= 1 << (part & 31)
  }
  // Children come after their parent: backward, they are done before it.
  for (let node = nodeCount - 1; node >= 0; node--) {
    const o = node * words
    if (right[node] !== 0) {
      const [l, r] = [o + words, right[node] * words]
      for (let w = 0; w < words; w++) {
        parts[o + w] = parts[l + w] | parts[r + w]
        left[o + w] = left[l + w] & left[r + w]
      }
      continue
    }
    for (let slot = first[node]; slot < end[node]; slot++) {
      const part = partOf[triangleOfSlot[slot]]
      parts[o + (part >> 5)] |= 1 << (part & 31)
      for (let w = 0; w < words; w++) left[o + w] &= leftBy[part * words + w]
    }
  }
  return { words, parts, left }
}

/** Receives pairs of triangles that are settled, and how much had to be looked at for that. */
type Settled = (pairs: number, looks: number) => void

/**
 * Counts pairs of triangles as they are settled, tested or known to lie apart. Where all boxes overlap that is the
 * work itself. Of ordinary surfaces, whose work grows with the triangles, the share of pairs is about the square of
 * that of triangles; the mean with its root is fair to both.
 */
function settledPairs(triangles: number, onProgress: OnProgress): Settled {
  let settled = 0
  let looks = 0
  return (pairs, more) => {
    settled += pairs
    looks += more
    if (looks < PROGRESS_PAIRS) return
    looks = 0
    const share = Math.min(1, settled / (triangles * (triangles / 2)))
    onProgress({ fraction: (share + Math.sqrt(share)) / 2, stage: 'searching' })
  }
}

function boxesOverlap(b: Float64Array, o: number, d: Float64Array, p: number): boolean {
  return (
    b[o] <= d[p + 3] &&
    d[p] <= b[o + 3] &&
    b[o + 1] <= d[p + 4] &&
    d[p + 1] <= b[o + 4] &&
    b[o + 2] <= d[p + 5] &&
    d[p + 2] <= b[o + 5]
  )
}
