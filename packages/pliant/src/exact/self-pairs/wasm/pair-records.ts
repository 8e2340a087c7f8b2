/** What kernels and JavaScript write for each other, of a search for pairs. */
import { record } from '../../../math/wasm/records.js'
import { CHILDREN } from '../packed-tree.js'

/** A vertex in single precision: x, y, z, 0. */
export const VERTEX = record({ place: 'f32x4' })

/** A triangle by the addresses of its corners. */
export const TRIANGLE = record({ corners: ['u32', 3] }, 16)

/** A node of the tree, or a leaf. */
export const NODE = record({
  /** Lower and upper ends along x, y and z of its four children, or of its triangles. */
  lower: ['f32x4', 3],
  upper: ['f32x4', 3],
  /** The same of the node itself: x, y, z and a number without a meaning. */
  ownLower: 'f32x4',
  ownUpper: 'f32x4',
})

/** What never changes of a node. They lie aside: a node's boxes then fill whole cache lines. */
export const LINKS = record({
  /** Address of its first child, 0 of a leaf. */
  children: 'u32',
  /** Number of its cell, `ABOVE_CELLS` if it has more than one, or if there is no rule. */
  cell: 'u32',
})

/** An entry of the plan: two nodes, and a bit for each pair of their children that has to be looked at. */
export const ENTRY = record({ a: 'u32', b: 'u32', asked: 'u32' })

/** Two nodes that wait. */
export const WAITING = record({ a: 'u32', b: 'u32' })

/** Two triangles whose boxes overlap. */
export const CANDIDATE = record({ a: 'u32', b: 'u32' })

/** Two triangles that meet, for sure or perhaps. */
export const MEETING = record({ a: 'u32', b: 'u32', isSure: 'u32' })

/** What `search` is told, and where it has come to. */
export const TASK = record({
  /** Addresses of the entry to go on with, and of the end of entries. */
  entry: 'u32',
  end: 'u32',
  /** Where pairs of nodes wait, and where the next one goes. */
  stack: 'u32',
  top: 'u32',
  /** Where the next candidate goes, and from which on the search pauses. */
  found: 'u32',
  pause: 'u32',
  nodes: 'u32',
  links: 'u32',
  triangles: 'u32',
  /** Cells: how many, and their bits. */
  cells: 'u32',
  left: 'u32',
})

/** Candidates of two leaves, at most: a search pauses between leaves. */
export const MOST_AT_ONCE = CHILDREN ** 2
