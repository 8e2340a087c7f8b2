/** Shapes to train on or to judge by. */
import type { TriangleMesh } from 'pliant'

/** Poses of one mesh, each with its code. */
export interface PosedShapes {
  mesh: TriangleMesh
  /** One per pose. */
  codes: readonly Float64Array[]
  /** Vertices of a pose [m]. */
  positions(pose: number, out: Float64Array): void
  /** Of an elastic body: all its nodes [m], in the same frame. */
  nodes?(pose: number): Float32Array
  /** The drop that each pose is of: those of one are alike. */
  groups?: Uint32Array
  /** Poses of the same drops with inverted tetrahedra, to be judged apart. */
  inverted?: PosedShapes
}
