/**
 * Which nodes of a tree a rule leaves alone with each other, told by cells: its largest nodes of few triangles. A bit for
 * every two cells holds for all that lies below them.
 */
import type { Floats } from '../../math/floats.js'
import { CHILDREN, type PackedTree } from './packed-tree.js'
import type { PairRule } from './pair-rule.js'

export interface RuleCells {
  /** Of each node the number of its cell, `ABOVE_CELLS` if it has more than one. */
  readonly cellOf: Uint32Array
  readonly count: number
  /** Whether all pairs between two cells are left alone: bit `a * count + b`. */
  readonly left: Uint32Array
}

export const ABOVE_CELLS = 0xffff_ffff

/** Triangles of a cell, or what the rule says, and cells at most: their bits grow with the square of them. */
const CELL_SIZE = 16
const MOST_CELLS = 8192

/**
 * @param vertices   vertex numbers of each slot, three each
 * @param positions  of the vertices, as the rule knows them [m]
 */
export function ruleCells(tree: PackedTree, vertices: Uint32Array, positions: Floats, rule: PairRule): RuleCells {
  const { triangleOfSlot } = tree
  const { cellOf, slots } = cellsOf(tree, sizesAcross(tree, vertices, positions), rule.groupSize ?? 0)
  const count = slots.length - 1
  const groups = Array.from({ length: count }, (_, cell) => triangleOfSlot.subarray(slots[cell], slots[cell + 1]))
  const left = new Uint32Array(Math.ceil(count ** 2 / 32))
  if (rule.leavesGroups) left.set(rule.leavesGroups(groups))
  addParts(groups, rule, left)
  return { cellOf, count, left }
}

/** Diagonal of the box of each node [m]. */
function sizesAcross(
  { levels, nodeCount, triangleOfSlot }: PackedTree,
  vertices: Uint32Array,
  p: Floats,
): Float64Array {
  const lower = new Float64Array(3 * nodeCount).fill(Infinity)
  const upper = new Float64Array(3 * nodeCount).fill(-Infinity)
  for (let corner = 0; corner < 3 * triangleOfSlot.length; corner++) {
    const o = 3 * Math.trunc(corner / (3 * CHILDREN))
    for (let axis = 0; axis < 3; axis++) {
      const value = p[3 * vertices[corner] + axis]
      lower[o + axis] = Math.min(lower[o + axis], value)
      upper[o + axis] = Math.max(upper[o + axis], value)
    }
  }
  for (const [level, { first, count }] of levels.slice(0, -1).entries()) {
    for (let n = 0; n < count; n++) {
      const parent = 3 * (levels[level + 1].first + Math.trunc(n / CHILDREN))
      for (let axis = 0; axis < 3; axis++) {
        lower[parent + axis] = Math.min(lower[parent + axis], lower[3 * (first + n) + axis])
        upper[parent + axis] = Math.max(upper[parent + axis], upper[3 * (first + n) + axis])
      }
    }
  }
  const across = (o: number): number =>
    Math.hypot(upper[o] - lower[o], upper[o + 1] - lower[o + 1], upper[o + 2] - lower[o + 2])
  return Float64Array.from({ length: nodeCount }, (_, node) => across(3 * node))
}

/** @returns the cell of each node, and where the slots of each cell begin, and where the last ends */
function cellsOf({ levels, nodeCount, triangleOfSlot }: PackedTree, sizes: Float64Array, size: number) {
  const triangles = triangleOfSlot.length
  const most = Math.max(CELL_SIZE, (CHILDREN * triangles) / MOST_CELLS)
  const cellOf = new Uint32Array(nodeCount).fill(ABOVE_CELLS)
  const slots: number[] = []
  const open = (level: number, n: number, cell: number): void => {
    const node = levels[level].first + n
    const width = CHILDREN ** (level + 1)
    const end = Math.min(triangles, (n + 1) * width)
    const isCell = level === 0 || end - n * width <= most || sizes[node] <= size
    cellOf[node] = cell === ABOVE_CELLS && isCell ? slots.push(n * width) - 1 : cell
    if (level === 0) return
    const last = Math.min(levels[level - 1].count, CHILDREN * (n + 1))
    for (let child = CHILDREN * n; child < last; child++) open(level - 1, child, cellOf[node])
  }
  open(levels.length - 1, 0, ABOVE_CELLS)
  return { cellOf, slots: Int32Array.from([...slots, triangles]) }
}

/** Adds the cells of whose triangles every part is left alone with every part of the other's. */
function addParts(
  groups: readonly Uint32Array[],
  { parts, partCount, leavesParts }: PairRule,
  left: Uint32Array,
): void {
  const partsOf = groups.map((group) => [...new Set(Array.from(group, (triangle) => parts[triangle]))].sort())
  // Cells of the same parts are many: told once for each two sets of parts.
  const sets = new Map(partsOf.map((of) => [of.join(), of]))
  const numbers = new Map([...sets.keys()].map((key, set) => [key, set]))
  const setOf = partsOf.map((of) => numbers.get(of.join())!)
  const alone = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((part) => b.every((other) => leavesParts[part * partCount + other] === 1))
  const leaves = [...sets.values()].map((a) => [...sets.values()].map((b) => alone(a, b)))
  for (const [a, setA] of setOf.entries()) {
    for (const [b, setB] of setOf.entries()) {
      if (!leaves[setA][setB]) continue
      const bit = a * groups.length + b
      left[bit >>> 5] |= 1 << (bit & 31)
    }
  }
}
