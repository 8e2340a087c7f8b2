/** Code (a few numbers) -> shape: one of the two joints that hold Pliant together (the other is `SignedField`). */
import type { Floats } from '../math/floats.js'

/** From a code (a few numbers) to a shape. */
export interface ReducedModel {
  /** How many numbers a code has. */
  readonly codeSize: number
  /** Range of every code entry, that the object takes in use: lower and upper, length codeSize each. */
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** How many vertices the shape has. */
  readonly vertexCount: number
  /** Triangles of the surface, vertex index triples; the same for every code. */
  readonly triangles: Uint32Array
  /** Vertex positions [m] at a code, xyz triples. */
  positions(code: ArrayLike<number>, out: Floats): void
  /** The code whose shape is nearest to given positions [m, xyz triples]. */
  encode(positions: Floats, out: Floats): void
}

/**
 * Points that a code moves, and the way back: from the gradient of anything by the points to its gradient by the code.
 * What goals in space need of a model ("this vertex there").
 */
export interface MovedPoints {
  /** How many numbers a code has. */
  readonly codeSize: number
  /** How many points. */
  readonly pointCount: number
  /** Where the points are at a code [m], xyz triples. */
  positions(code: ArrayLike<number>, out: Floats): void
  /**
   * The vector-Jacobian product at a code.
   * @param cotangents  gradient of some scalar by each point, xyz triples
   * @param out         receives the scalar's gradient by the code, codeSize numbers
   */
  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void
}

/**
 * A model that can tell gradients by its code. `LinearModes` and `SkinnedCharacter` are served without by `movedPoints`
 * (moved-points.ts), so that pages which only ask for shapes do not carry it.
 */
export interface DifferentiableModel extends ReducedModel {
  /** Some of its vertices, in this order, at a price that goes with their number; left out: all of them. */
  movedPoints(vertices?: ArrayLike<number>): MovedPoints
}
