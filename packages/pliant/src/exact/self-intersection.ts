/**
 * Where a surface meets itself: pairs of triangles that share no vertex and have a point in common (touching counts;
 * exact, see `triangle-triangle.ts`). Yes or no with an early end, or all pairs with FCL's penetration depth: the
 * deepest vertex of each triangle below the other's plane, and the smaller depth of the two. The tree is traversed
 * against itself; it is refitted, never rebuilt, when the mesh deforms. A rule may leave pairs alone.
 */
import type { Floats } from '../math/floats.js'
import type { OnProgress, Progress } from '../math/progress.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { requireValidMesh } from '../mesh/validate.js'
import { firstAtSamePlace } from '../mesh/weld.js'
import { cellsOf } from './tree-cells.js'
import { MAX_TREE_DEPTH, TriangleTree } from './triangle-tree.js'
import { trianglesMeet } from './triangle-triangle.js'

/** What counts as sharing a vertex. */
export interface SelfIntersectionOptions {
  /**
   * Also leave out pairs with corners at equal positions when made (texture seams, STL), which touch by construction.
   * Off by default: then only equal vertex numbers count as shared.
   */
  weld?: boolean
  /** Pairs that are left alone though they meet. None by default. */
  neighbours?: PairRule
}

/** Pairs of triangles that are left alone, such as a `NeighbourRule`. */
export interface PairRule {
  /** Part of each triangle. */
  readonly parts: ArrayLike<number>
  /** How many parts there are. */
  readonly partCount: number
  /** For each two parts whether all pairs between them are left alone: 1 at `a * partCount + b` if so, else 0. */
  readonly leavesParts: ArrayLike<number>
  /** Whether a pair of triangles, by their numbers, is left alone: asked only of pairs that meet. */
  leavesAlone(a: number, b: number): boolean
  /**
   * Of groups of triangles those between which all pairs are left alone, as far as that is easily told: one bit for each two
   * of them, that of `a` and `b` at `a * groups + b`. What is told of none may be left out.
   */
  leavesGroups?(groups: readonly ArrayLike<number>[]): Uint32Array
  /** Groups that are so large across are told well enough [m]. */
  readonly groupSize?: number
}

/** How to look for pairs. */
export interface PairsOptions {
  /** The search ends once it has found so many: there can be half the square of the triangles. */
  limit?: number
  /** Told now and then how much has been settled. */
  onProgress?: (progress: Progress) => void
}
export const PAIRS_DEFAULTS = { limit: 1_000_000 } as const

/** The pairs of triangles in which a surface meets itself. */
export interface IntersectingPairs {
  /** Triangle numbers, two per pair, the lower first; pairs in rising order. Those found first if there are too many. */
  pairs: Uint32Array
  /** Penetration depth of each of these pairs [m]. */
  depths: Float64Array
  /** Whether the search ended before it had found all. */
  truncated: boolean
}

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

/** Where a surface meets itself: pairs of triangles that share no vertex and have a point in common, exactly. */
export class SelfIntersection {
  private readonly tree: TriangleTree
  /** Corner identities by slot: equal numbers mean a shared vertex. */
  private readonly shared: Uint32Array
  /** Box of each slot's triangle, six numbers each. */
  private readonly boxes: Float64Array
  /** Two nodes per entry; a path opens each of two nodes at most `MAX_TREE_DEPTH` times and leaves two entries a step. */
  private readonly stack = new Int32Array(8 * MAX_TREE_DEPTH + 16)
  private readonly rule: PairRule | undefined
  private readonly partsOfNode: NodeParts | undefined
  private readonly cells: NeighbourCells | undefined
  /** Slots of the pair that last made `any` say yes; equal before that. */
  private witness: [number, number] = [0, 0]

  /** @throws RangeError if the mesh has no triangles, indices out of range or positions that are not finite */
  constructor(mesh: TriangleMesh, options: SelfIntersectionOptions = {}) {
    requireValidMesh(mesh)
    this.tree = new TriangleTree(mesh, LEAF_SIZE)
    const weld = options.weld ? firstAtSamePlace(mesh.positions) : undefined
    this.shared = weld ? this.tree.vertices.map((v) => weld[v]) : this.tree.vertices
    this.boxes = new Float64Array(2 * this.tree.vertices.length)
    this.rule = options.neighbours
    this.partsOfNode = this.rule && partsOfNodes(this.tree, this.rule)
    this.cells = this.rule && neighbourCells(this.tree, this.rule)
    this.fitBoxes()
  }

  /**
   * Moves the surface: the same vertices at new positions [m].
   * @throws RangeError if the number of positions differs or one is not finite
   */
  update(positions: Floats): void {
    this.tree.refit(positions)
    this.fitBoxes()
  }

  /** Whether any two triangles that share no vertex have a point in common. */
  any(): boolean {
    const { corners } = this.tree
    const [s, t] = this.witness
    // Shapes that come one after another tend to meet in the same place: then this pair says so at once.
    if (s !== t && trianglesMeet(corners, 9 * s, corners, 9 * t)) return true
    let met = false
    this.traverse((a, b) => {
      this.witness = [a, b]
      met = true
      return false
    })
    return met
  }

  /** All of them, or the first that are found. */
  pairs({ limit = PAIRS_DEFAULTS.limit, onProgress }: PairsOptions = {}): IntersectingPairs {
    const { corners, triangleOfSlot } = this.tree
    const found: number[] = []
    let truncated = false
    this.traverse((a, b) => {
      truncated = found.length === 2 * limit
      if (!truncated) found.push(a, b)
      return !truncated
    }, onProgress)
    const faces = triangleOfSlot.length
    const slotOfTriangle = new Uint32Array(faces)
    for (let slot = 0; slot < faces; slot++) slotOfTriangle[triangleOfSlot[slot]] = slot
    // One number per pair, so that sorting needs no comparison function: below 2^53 for 90 million triangles.
    const keys = new Float64Array(found.length / 2)
    for (let k = 0; k < keys.length; k++) {
      const a = triangleOfSlot[found[2 * k]]
      const b = triangleOfSlot[found[2 * k + 1]]
      keys[k] = Math.min(a, b) * faces + Math.max(a, b)
    }
    keys.sort()
    const pairs = new Uint32Array(2 * keys.length)
    const depths = new Float64Array(keys.length)
    for (let k = 0; k < keys.length; k++) {
      const a = Math.floor(keys[k] / faces)
      const b = keys[k] - a * faces
      pairs[2 * k] = a
      pairs[2 * k + 1] = b
      depths[k] = penetrationDepth(corners, 9 * slotOfTriangle[a], 9 * slotOfTriangle[b])
    }
    return { pairs, depths, truncated }
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

  /**
   * Tree against itself.
   * @param meet  receives the slots of each pair that meets; the traversal ends when it says false
   */
  private traverse(meet: Meeting, onProgress?: OnProgress): void {
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
        if (rule?.leavesAlone(triangleOfSlot[s], triangleOfSlot[t])) continue
        if (!meet(s, t)) return false
      }
      // Triangles that no box tells apart share one leaf, however many they are.
      progress?.(otherTo - otherFrom, otherTo - otherFrom)
    }
    return true
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

/** Receives two slots; says whether to look for more. */
type Meeting = (a: number, b: number) => boolean

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

function shareVertex(v: Uint32Array, s: number, t: number): boolean {
  const a = v[t]
  const b = v[t + 1]
  const c = v[t + 2]
  const d = v[s]
  const e = v[s + 1]
  const f = v[s + 2]
  return d === a || d === b || d === c || e === a || e === b || e === c || f === a || f === b || f === c
}

/**
 * FCL's rule: how far the deepest corner of each triangle lies behind the other's plane, and of the two the smaller. A
 * collapsed triangle has no plane and leaves the word to the other; two of them give 0.
 */
export function penetrationDepth(c: Float64Array, s: number, t: number): number {
  const depth = Math.min(deepestBehind(c, s, t), deepestBehind(c, t, s))
  return depth === Infinity ? 0 : Math.max(depth, 0)
}

/** Depth of the deepest corner of the triangle at `t` behind the plane of the one at `s` [m]; Infinity if no plane. */
function deepestBehind(c: Float64Array, s: number, t: number): number {
  const ux = c[s + 3] - c[s]
  const uy = c[s + 4] - c[s + 1]
  const uz = c[s + 5] - c[s + 2]
  const vx = c[s + 6] - c[s]
  const vy = c[s + 7] - c[s + 1]
  const vz = c[s + 8] - c[s + 2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  if (!(length > 0)) return Infinity
  let lowest = Infinity
  for (let k = t; k < t + 9; k += 3) {
    lowest = Math.min(lowest, nx * (c[k] - c[s]) + ny * (c[k + 1] - c[s + 1]) + nz * (c[k + 2] - c[s + 2]))
  }
  return -lowest / length
}
