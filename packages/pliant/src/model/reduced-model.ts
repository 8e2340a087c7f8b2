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
