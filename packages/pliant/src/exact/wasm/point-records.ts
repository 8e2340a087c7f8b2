/** What kernels and JavaScript tell each other about a surface and the points that ask for it. */
import { record } from '../../math/wasm/records.js'

/**
 * A node of the wide tree: boxes of its children in single precision, seen from the origin of the task, one lane each.
 * They are not rounded outward: searches add the slack of the task.
 */
export const NODE = record({
  lower: ['f32x4', 3],
  upper: ['f32x4', 3],
  /**
   * Of each child its address and where it ends: of a leaf the first and the address behind the last of its triangles'
   * corners, of a node itself and 0; both 0 where there is none.
   */
  children: ['u32', 8],
})

/** A leaf, in the order of slots. */
export const LEAF = record({
  /** Address of its lane in the lower end of its node's boxes. */
  lane: 'u32',
  /** Address behind its last triangle's corners. */
  end: 'u32',
})

/** Ends of a child's box that is not there: further from anything than any reach, and neutral where boxes are joined. */
export const NOWHERE = 3e38

/** Bytes of a corner, of the three of a triangle, and of a point that asks. */
export const CORNER_BYTES = 24
export const TRIANGLE_BYTES = 72

/** What kernels are told, and what they found. */
export const TASK = record({
  /** Lower, then upper corner of the box of all positions. */
  measured: ['f64', 6],
  /** The same of the surface where it is now. */
  lower: ['f64', 3],
  upper: ['f64', 3],
  /** Where boxes of nodes are seen from. */
  origin: ['f64', 3],
  /** Sum over triangles of six times the volume below them. */
  volume: 'f64',
  /** Zero if all positions are finite, else NaN. */
  finite: 'f64',
  /** What searches add to distances before they leave out a box. */
  slack: 'f64',
  /** Squared distance from which on triangles are not looked for. */
  limit: 'f64',
  /** Positions of vertices, and the address behind the last two. */
  positions: 'u32',
  positionsEnd: 'u32',
  /** Addresses of the positions of each triangle's corners. */
  sources: 'u32',
  corners: 'u32',
  leaves: 'u32',
  leavesEnd: 'u32',
  nodes: 'u32',
  lastNode: 'u32',
  /** For each node the address of its lane in its parent. */
  parents: 'u32',
  /** Points that ask, and what they receive: see `PointSearch`. */
  points: 'u32',
  pointsEnd: 'u32',
  slots: 'u32',
  windings: 'u32',
  /** Where nodes wait. */
  stack: 'u32',
})
