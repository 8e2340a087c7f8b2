/**
 * Point -> signed distance: the joint that everything which meets a body goes by. Exact meshes, primitives, voxel grids
 * and networks all implement it, so that every baseline is a drop-in; whatever takes one takes them all.
 */
import type { Box, EdgeBox } from '../math/box.js'
import type { Floats } from '../math/floats.js'

/**
 * From points to signed distances: what everything that meets a body asks. Exact meshes, primitives, voxel grids and
 * networks all are one, so whatever takes one takes them all.
 */
export interface SignedField {
  /**
   * Distances, and in the same pass their gradients if there is an array for them; distances alone are cheaper.
   * A point with a coordinate that is NaN or infinite gets NaN, its gradient too; all others are answered as ever.
   * @param points     xyz triples [m] in the field's frame, at least 3 * count long
   * @param distances  receives `count` distances [m], negative inside
   * @param gradients  receives xyz triples, pointing outward, at least 3 * count long
   * @throws RangeError if an array is too short or not of floats, or the count is no whole number
   */
  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void
  /** Lower and upper bound of the field over a box, or undefined where the field cannot promise any. */
  bounds(box: Box): readonly [number, number] | undefined
  /** The same over a box that may be turned, of fields to which that is less than the box along the axes around it. */
  boundsOver?(box: EdgeBox): readonly [number, number] | undefined
}

/**
 * A field of a thing that moves. `update` takes the new shape and does all that is the same for every query; queries
 * answer for it until the next. A state is an object that names what it is made of (`{ code }`, `{ nodes }`,
 * `{ vertices }`, `{ frame }`, `{ joints }`), so that a call reads by itself and wrappers pass on what they do not know.
 */
export interface MovingField<State> extends SignedField {
  /**
   * Takes the new shape, and does all that is the same for every query.
   * @throws RangeError if there are too few numbers, or naming the first that is not finite; the field then stays as
   *   it was
   */
  update(state: State): void
}

/** Reduced coordinates: modal weights, joint angles. */
export interface CodeState {
  /** As many numbers as the field's `codeSize`. */
  code: ArrayLike<number>
}

/** Where all vertices of a surface are [m], xyz triples. */
export interface VertexState {
  /** As many vertices as the surface has [m]. */
  vertices: Floats
}

/** Where all nodes of a tetrahedral mesh are [m], xyz triples in the world. */
export interface NodeState {
  /** As many nodes as the body has [m]. */
  nodes: Floats
}

/** A column-major 4x4 that carries the field's own frame to the one it is asked in. */
export interface FrameState {
  /** 16 numbers: rotation and scale, and the translation [m]. */
  frame: ArrayLike<number>
}

/** Where the joints of a skeleton are: joint to root frame, column-major 4x4 each (model/skeleton.ts). */
export interface MatrixState {
  /** 16 numbers per joint, lengths in [m]. */
  matrices: ArrayLike<number>
}
