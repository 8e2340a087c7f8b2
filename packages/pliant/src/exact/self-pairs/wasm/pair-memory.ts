/** Memory of the kernels that search a surface for pairs: what lies where, and what of it never changes. */
import type { Arena } from '../../../math/wasm/arena.js'
import { CHILDREN, type PackedTree } from '../packed-tree.js'
import type { PairPlan } from '../pair-plan.js'
import { ABOVE_CELLS } from '../rule-cells.js'
import {
  CANDIDATE,
  ENTRY,
  LINKS,
  MEETING,
  MOST_AT_ONCE,
  NODE,
  TASK,
  TRIANGLE,
  VERTEX,
  WAITING,
} from './pair-records.js'

/** Where everything is [bytes]. */
export interface Addresses {
  readonly task: number
  readonly positions: number
  readonly places: number
  readonly triangles: number
  readonly nodes: number
  readonly links: number
  readonly left: number
  readonly entries: number
  readonly stack: number
  readonly candidates: number
  readonly meetings: number
}

/** What is searched. */
export interface SearchedSurface {
  tree: PackedTree
  plan: PairPlan
  /** Vertex numbers of each slot, three each. */
  vertices: Uint32Array
  vertexCount: number
}

/** Candidates after which a search pauses: the first may settle whether any pair meets. */
const PAUSE = 256

export function reservePairs(arena: Arena, { tree, plan, vertexCount }: SearchedSurface): Addresses {
  const { levels, nodeCount } = tree
  return {
    task: arena.reserve(TASK.size / 4),
    positions: arena.reserve(6 * vertexCount),
    places: arena.reserve((vertexCount * VERTEX.size) / 4),
    triangles: arena.reserve((CHILDREN * levels[0].count * TRIANGLE.size) / 4),
    nodes: arena.reserve((nodeCount * NODE.size) / 4),
    links: arena.reserve((nodeCount * LINKS.size) / 4),
    left: arena.place(Int32Array.from(plan.cells?.left ?? [])),
    entries: arena.reserve((plan.nodeA.length * ENTRY.size) / 4),
    // A path leaves all but one of the pairs of children behind at each level.
    stack: arena.reserve(((levels.length + 1) * MOST_AT_ONCE * WAITING.size) / 4),
    // Three more are read where four are settled at once.
    candidates: arena.reserve(((PAUSE + MOST_AT_ONCE + 3) * CANDIDATE.size) / 4),
    meetings: arena.reserve(((PAUSE + MOST_AT_ONCE) * MEETING.size) / 4),
  }
}

export function writePairs({ tree, plan, vertices }: SearchedSurface, at: Addresses, view: DataView): void {
  const { levels } = tree
  const { nodeA, nodeB, asked, cells } = plan
  const nodeAt = (node: number): number => at.nodes + node * NODE.size
  for (let slot = 0; slot < CHILDREN * levels[0].count; slot++) {
    // Slots behind the last triangle hold it again; `emptyLastSlots` takes their boxes away.
    const own = 3 * Math.min(slot, tree.triangleOfSlot.length - 1)
    const corners = [0, 1, 2].map((k) => at.places + vertices[own + k] * VERTEX.size)
    TRIANGLE.write(view, at.triangles + slot * TRIANGLE.size, { corners })
  }
  for (const [level, { first, count }] of levels.entries()) {
    for (let n = 0; n < CHILDREN * Math.ceil(count / CHILDREN); n++) {
      const children = level === 0 ? 0 : nodeAt(levels[level - 1].first + CHILDREN * n)
      const cell = cells?.cellOf[first + n] ?? ABOVE_CELLS
      LINKS.write(view, at.links + (first + n) * LINKS.size, { children, cell })
      if (n >= count) NODE.write(view, nodeAt(first + n), NOWHERE)
    }
  }
  // The largest nodes first: where a surface is deep in itself, they tell soonest.
  for (let entry = 0, i = nodeA.length - 1; i >= 0; i--, entry++) {
    const values = { a: nodeAt(nodeA[i]), b: nodeAt(nodeB[i]), asked: asked[i] }
    ENTRY.write(view, at.entries + entry * ENTRY.size, values)
  }
  TASK.write(view, at.task, {
    end: at.entries + nodeA.length * ENTRY.size,
    stack: at.stack,
    pause: at.candidates + PAUSE * CANDIDATE.size,
    nodes: at.nodes,
    links: at.links,
    triangles: at.triangles,
    cells: cells?.count ?? 0,
    left: at.left,
  })
}

/** The box of a node that there is not. */
const NOWHERE = {
  ownLower: [Infinity, Infinity, Infinity, Infinity],
  ownUpper: [-Infinity, -Infinity, -Infinity, -Infinity],
}
