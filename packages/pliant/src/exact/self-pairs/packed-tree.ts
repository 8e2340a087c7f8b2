/**
 * A tree in which every node has four children, but for the last of each level, and all leaves lie equally deep, four
 * triangles each: packed from the top by cutting across the longest side (Lee and Lee 2003, OMT), at multiples of what a
 * whole child holds. Nodes of a level are numbered one after the other, so the children of its n-th are 4n to 4n + 3 of the
 * level below, and nothing has to be stored of the shape of the tree. Splits are those of the surface as it was made.
 */
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'

/** Children of a node, and triangles of a leaf. */
export const CHILDREN = 4

export interface PackedTree {
  /** Triangle number of each slot: slots are the triangles in the order of the leaves. */
  readonly triangleOfSlot: Uint32Array
  /** The nodes of each level, the leaves first, the root last. */
  readonly levels: readonly TreeLevel[]
  /** How many numbers of nodes there are, those included that no node has. */
  readonly nodeCount: number
}

export interface TreeLevel {
  /** Number of its first node, a multiple of four: each parent has room for as many children, in one piece. */
  readonly first: number
  readonly count: number
}

export function packTree({ positions, triangles }: TriangleMesh): PackedTree {
  const count = triangles.length / 3
  const triangleOfSlot = new Uint32Array(count).map((_, slot) => slot)
  const packer = new Packer(triangleOfSlot, tripleMiddles(positions, triangles))
  packer.pack(0, count)
  const levels: TreeLevel[] = []
  let [first, nodes] = [0, count]
  do {
    nodes = Math.ceil(nodes / CHILDREN)
    levels.push({ first, count: nodes })
    first += CHILDREN * Math.ceil(nodes / CHILDREN)
  } while (nodes > 1)
  return { triangleOfSlot, levels, nodeCount: first }
}

/** Three times the middle of each triangle: the sum of its corners. */
function tripleMiddles(p: ArrayLike<number>, triangles: Uint32Array): Float64Array {
  const out = new Float64Array(triangles.length)
  for (let i = 0; i < out.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      out[i + axis] = p[3 * triangles[i] + axis] + p[3 * triangles[i + 1] + axis] + p[3 * triangles[i + 2] + axis]
    }
  }
  return out
}

class Packer {
  constructor(
    private readonly order: Uint32Array,
    private readonly middles: Float64Array,
  ) {}

  /** Orders what is from one slot to another for the node that holds it. */
  pack(from: number, to: number): void {
    if (to - from <= CHILDREN) return
    let whole = CHILDREN
    while (whole * CHILDREN < to - from) whole *= CHILDREN
    this.cut(from, to, whole, Math.ceil((to - from) / whole))
  }

  /** The same for so many of its children, of which all but the last are whole. */
  private cut(from: number, to: number, whole: number, children: number): void {
    if (children === 1) {
      this.pack(from, to)
      return
    }
    const half = children >> 1
    const at = from + half * whole
    this.divide(from, to, at, this.longestAxis(from, to))
    this.cut(from, at, whole, half)
    this.cut(at, to, whole, children - half)
  }

  private longestAxis(from: number, to: number): number {
    const { order, middles } = this
    let [longest, most] = [0, -1]
    for (let axis = 0; axis < 3; axis++) {
      let [lower, upper] = [Infinity, -Infinity]
      for (let slot = from; slot < to; slot++) {
        const value = middles[3 * order[slot] + axis]
        lower = Math.min(lower, value)
        upper = Math.max(upper, value)
      }
      if (upper - lower > most) [longest, most] = [axis, upper - lower]
    }
    return longest
  }

  /** Brings what is lowest along an axis before `at` (Hoare 1961, FIND). */
  private divide(from: number, to: number, at: number, axis: number): void {
    const { order, middles } = this
    let [low, high] = [from, to - 1]
    while (low < high) {
      const pivot = middles[3 * order[(low + high) >> 1] + axis]
      let [i, j] = [low, high]
      while (i <= j) {
        while (middles[3 * order[i] + axis] < pivot) i++
        while (middles[3 * order[j] + axis] > pivot) j--
        if (i > j) break
        const kept = order[i]
        order[i++] = order[j]
        order[j--] = kept
      }
      if (at <= j) high = j
      else if (at >= i) low = i
      else return
    }
  }
}
