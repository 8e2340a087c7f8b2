/**
 * What is the same of a search for pairs in all shapes of a surface. Nodes of a tree that have a vertex in common always
 * overlap: a search from the root would go through the same pairs of them each time, which are most of all that it goes
 * through. They are listed once, each with those pairs of children that have none in common and so may be apart; of
 * leaves with those pairs of triangles. What a rule leaves alone is not in the list.
 */
import type { Floats } from '../../math/floats.js'
import { CHILDREN, type PackedTree, type TreeLevel } from './packed-tree.js'
import type { PairRule } from './pair-rule.js'
import { ABOVE_CELLS, type RuleCells, ruleCells } from './rule-cells.js'

export interface PairPlan {
  /** Nodes of each entry; equal ones for the pairs within a node. */
  readonly nodeA: number[]
  readonly nodeB: number[]
  /** A bit for each pair of children, or of triangles, that has to be looked at: that of i and j is 4 i + j. */
  readonly asked: number[]
  /** What a rule leaves alone of all other pairs of nodes. */
  readonly cells: RuleCells | undefined
}

export interface PlannedSurface {
  tree: PackedTree
  /** Vertex numbers of each slot, three each. */
  vertices: Uint32Array
  /** The same where vertices at one place count as one. */
  shared: Uint32Array
  /** Of the vertices [m]. */
  positions: Floats
}

/**
 * Corners at a vertex whose leaves are listed, at most: their pairs grow with the square of them. Pairs of triangles that meet
 * around one that has more are told apart when they are found.
 */
const MOST_CORNERS = 256

/** All pairs of children of two nodes, and those of a node with itself. */
const ALL_PAIRS = 0xffff
const RISING_PAIRS = 0b0000_1000_1100_1110

export function planPairs({ tree, vertices, shared, positions }: PlannedSurface, rule?: PairRule): PairPlan {
  const cells = rule && ruleCells(tree, vertices, positions, rule)
  const plan: PairPlan = { nodeA: [], nodeB: [], asked: [], cells }
  const { levels } = tree
  const add = (a: number, b: number, asked: number): void => {
    if (asked === 0 || leavesNodes(cells, a, b)) return
    plan.nodeA.push(a)
    plan.nodeB.push(b)
    plan.asked.push(asked)
  }
  let touching = touchingLeaves(shared, levels[0])
  for (const key of touching) {
    const [a, b] = pairOf(key, levels[0])
    add(a, b, askedTriangles(tree, shared, a, b, rule))
  }
  for (let above = 1; above < levels.length; above++) {
    const [level, below] = [levels[above], levels[above - 1]]
    const parents = parentsOf(touching, below, level)
    for (const { a, b, touchingChildren } of parents) {
      const asked = (a === b ? RISING_PAIRS : ALL_PAIRS) & ~touchingChildren
      add(level.first + a, level.first + b, askedChildren(asked, below, a, b, cells))
    }
    touching = Float64Array.from(parents, ({ a, b }) => a * level.count + b)
  }
  return plan
}

/** The places in their level of two nodes, of a number that stands for both: `a * count + b`. */
function pairOf(key: number, { count }: TreeLevel): [number, number] {
  const a = Math.floor(key / count)
  return [a, key - a * count]
}

/** Pairs of leaves with a vertex in common, and each leaf with itself, the lower one first. */
function touchingLeaves(shared: Uint32Array, { count }: TreeLevel): Float64Array {
  const keys: number[] = []
  for (let leaf = 0; leaf < count; leaf++) keys.push(leaf * count + leaf)
  const { starts, leaves } = leavesAtVertices(shared)
  for (let v = 0; v < starts.length - 1; v++) {
    if (starts[v + 1] - starts[v] > MOST_CORNERS) continue
    for (let i = starts[v]; i < starts[v + 1]; i++) {
      // Leaves of a vertex come in rising order, one for each corner there.
      for (let j = i + 1; j < starts[v + 1]; j++) if (leaves[i] !== leaves[j]) keys.push(leaves[i] * count + leaves[j])
    }
  }
  return withoutRepeats(Float64Array.from(keys).sort())
}

/** Leaves of the corners at each vertex: those of vertex v from `starts[v]`. */
function leavesAtVertices(shared: Uint32Array): { starts: Uint32Array; leaves: Uint32Array } {
  const starts = new Uint32Array(shared.reduce((most, v) => Math.max(most, v), 0) + 2)
  for (const v of shared) starts[v + 1]++
  for (let v = 1; v < starts.length; v++) starts[v] += starts[v - 1]
  const next = starts.slice()
  const leaves = new Uint32Array(shared.length)
  for (const [corner, v] of shared.entries()) leaves[next[v]++] = Math.floor(corner / (3 * CHILDREN))
  return { starts, leaves }
}

function withoutRepeats(sorted: Float64Array): Float64Array {
  return sorted.filter((value, i) => i === 0 || value !== sorted[i - 1])
}

interface ParentPair {
  a: number
  b: number
  /** A bit for each pair of children that is in the list. */
  touchingChildren: number
}

/** Parents of listed pairs of nodes, each two once. */
function parentsOf(pairs: Float64Array, below: TreeLevel, level: TreeLevel): ParentPair[] {
  const bits = CHILDREN ** 2
  const keys = pairs.map((key) => {
    const [i, j] = pairOf(key, below)
    const parents = Math.floor(i / CHILDREN) * level.count + Math.floor(j / CHILDREN)
    return bits * parents + CHILDREN * (i % CHILDREN) + (j % CHILDREN)
  })
  const found: ParentPair[] = []
  let last = -1
  for (const key of keys.sort()) {
    const parents = Math.floor(key / bits)
    const [a, b] = pairOf(parents, level)
    if (parents !== last) found.push({ a, b, touchingChildren: 0 })
    last = parents
    found[found.length - 1].touchingChildren |= 1 << (key % bits)
  }
  return found
}

/** Pairs of triangles of two leaves that share no vertex, nor are of parts that are left alone with each other. */
function askedTriangles(
  { triangleOfSlot }: PackedTree,
  shared: Uint32Array,
  a: number,
  b: number,
  rule?: PairRule,
): number {
  let asked = a === b ? RISING_PAIRS : ALL_PAIRS
  for (let i = 0; i < CHILDREN; i++) {
    for (let j = 0; j < CHILDREN; j++) {
      const [s, t] = [CHILDREN * a + i, CHILDREN * b + j]
      if (s < triangleOfSlot.length && t < triangleOfSlot.length) {
        const isLeft = rule && leavesParts(rule, triangleOfSlot[s], triangleOfSlot[t])
        if (!isLeft && !shareVertex(shared, 3 * s, 3 * t)) continue
      }
      asked &= ~(1 << (CHILDREN * i + j))
    }
  }
  return asked
}

function leavesParts({ parts, partCount, leavesParts }: PairRule, a: number, b: number): boolean {
  return leavesParts[parts[a] * partCount + parts[b]] === 1
}

/** Whether two triangles have a vertex in common, from where their numbers begin. */
export function shareVertex(v: Uint32Array, s: number, t: number): boolean {
  const a = v[t]
  const b = v[t + 1]
  const c = v[t + 2]
  const d = v[s]
  const e = v[s + 1]
  const f = v[s + 2]
  return d === a || d === b || d === c || e === a || e === b || e === c || f === a || f === b || f === c
}

/** Of pairs of children those that a rule does not leave alone. */
function askedChildren(asked: number, below: TreeLevel, a: number, b: number, cells: RuleCells | undefined): number {
  let kept = asked
  for (let bit = 0; bit < CHILDREN ** 2; bit++) {
    const [i, j] = [CHILDREN * a + (bit >> 2), CHILDREN * b + (bit & 3)]
    if (i >= below.count || j >= below.count || leavesNodes(cells, below.first + i, below.first + j))
      kept &= ~(1 << bit)
  }
  return kept
}

function leavesNodes(cells: RuleCells | undefined, a: number, b: number): boolean {
  if (!cells) return false
  const { cellOf, count, left } = cells
  if (cellOf[a] === ABOVE_CELLS || cellOf[b] === ABOVE_CELLS) return false
  const bit = cellOf[a] * count + cellOf[b]
  return ((left[bit >>> 5] >>> (bit & 31)) & 1) === 1
}
