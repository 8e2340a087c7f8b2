/**
 * Whether the shape at a code runs into itself, exactly, for shapes that move in any way with their code: characters by joint
 * angles, meshes by a decoder. Each code poses the whole surface and refits a tree; neighbours may be left alone by a rule.
 * Shapes that are linear in their code have a faster test (`linear-self-contact.ts`).
 */
import type { Floats } from '../../math/floats.js'
import { requireNumbers } from '../../math/require.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { type IntersectingPairs, type PairRule, SelfIntersection } from '../self-intersection.js'
import { trianglesMeet } from '../triangle-triangle.js'
import type { ContactTest } from './contact-test.js'
import { type NeighbourOptions, NeighbourRule, type SurfaceParts } from './neighbour-rule.js'

/** A surface that moves with a code. */
export interface PosedShape {
  /** How many numbers a code has. */
  readonly codeSize: number
  /** Box of the codes. */
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** How many vertices the surface has. */
  readonly vertexCount: number
  /** Vertex index triples. */
  readonly triangles: Uint32Array
  /** All vertices at a code [m], xyz triples. */
  positions(code: ArrayLike<number>, out: Floats): void
  /** Some of them, with their way back to the code. */
  movedPoints(vertices: ArrayLike<number>): PosedPoints
}

/** Points of a surface that move with a code. */
export interface PosedPoints {
  /** Where they are at a code [m], xyz triples. */
  positions(code: ArrayLike<number>, out: Floats): void
  /** From the gradient of a number by the points to its gradient by the code. */
  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void
}

/** A surface that moves with a code, with what is left alone there. */
export interface BendingShape extends PosedShape {
  /** Its vertices at rest [m], which neighbours are told by; left out, those at the code of zeros. */
  rest?: Floats
  /** Parts that it is made of, such as the bones of a character; joined ones may touch. */
  parts?: SurfaceParts
  /** How far neighbours reach along the surface and through space. */
  neighbours?: NeighbourOptions
}

/**
 * The test of a shape, with the rule by which neighbours are left alone and the surface at rest that this is made of.
 * @throws RangeError if the surface is broken, or neighbours are told wrongly
 */
export function posedSelfContact(shape: BendingShape): {
  test: PosedSelfContact
  rule: NeighbourRule
  rest: TriangleMesh
} {
  const positions = new Float64Array(3 * shape.vertexCount)
  if (shape.rest) positions.set(shape.rest)
  else shape.positions(new Float64Array(shape.codeSize), positions)
  const rest = { positions, triangles: shape.triangles }
  const rule = new NeighbourRule(rest, shape.parts, shape.neighbours)
  return { test: new PosedSelfContact(shape, rule), rule, rest }
}

/** The last pair that was asked about: its corners are all that has to be posed. */
interface AskedPair {
  a: number
  b: number
  points: PosedPoints
}

export class PosedSelfContact implements ContactTest {
  readonly codeSize: number
  readonly bounds: PosedShape['bounds']
  tests = 0
  readonly #shape: PosedShape
  readonly #intersection: SelfIntersection
  readonly #positions: Float64Array
  readonly #asked: Float64Array
  readonly #corners = new Float64Array(18)
  readonly #cotangents = new Float64Array(18)
  #pair: AskedPair | undefined

  /**
   * @param neighbours  pairs that are left alone though they meet
   * @throws RangeError if the surface is broken
   */
  constructor(shape: PosedShape, neighbours?: PairRule) {
    this.codeSize = shape.codeSize
    this.bounds = shape.bounds
    this.#shape = shape
    this.#asked = new Float64Array(shape.codeSize)
    this.#positions = new Float64Array(3 * shape.vertexCount)
    shape.positions(this.#asked, this.#positions)
    const mesh = { positions: this.#positions, triangles: shape.triangles }
    this.#intersection = new SelfIntersection(mesh, { weld: true, neighbours })
  }

  touches(code: ArrayLike<number>): boolean {
    return this.#poseAt(code).any()
  }

  touchesAll(codes: Floats, count: number, out: Int8Array): void {
    const size = this.codeSize
    for (let i = 0; i < count; i++) out[i] = this.touches(codes.subarray(i * size, (i + 1) * size)) ? 1 : 0
  }

  meetingPairs(code: ArrayLike<number>): ArrayLike<number> {
    return this.intersections(code).pairs
  }

  /** The same with how deep they are in each other. */
  intersections(code: ArrayLike<number>): IntersectingPairs {
    return this.#poseAt(code).pairs()
  }

  /** How deep triangles are in each other, summed over the pairs that meet at a code [m]. */
  depth(code: ArrayLike<number>): number {
    return this.intersections(code).depths.reduce((sum, depth) => sum + depth, 0)
  }

  moveTo(code: ArrayLike<number>): void {
    requireNumbers('self-contact', code, 'code value', this.codeSize)
    this.#asked.set(code)
  }

  pairMeets(a: number, b: number): boolean {
    this.writeCorners(a, b, this.#corners)
    return trianglesMeet(this.#corners, 0, this.#corners, 9)
  }

  writeCorners(a: number, b: number, out: Float64Array): void {
    this.#pointsOf(a, b).positions(this.#asked, out)
  }

  writeSlope(a: number, b: number, weights: Float64Array, direction: ArrayLike<number>, out: Float64Array): void {
    for (let k = 0; k < 6; k++) {
      const weight = k < 3 ? weights[k] : -weights[k]
      for (let axis = 0; axis < 3; axis++) this.#cotangents[3 * k + axis] = weight * direction[axis]
    }
    this.#pointsOf(a, b).pullBack(this.#asked, this.#cotangents, out)
  }

  #poseAt(code: ArrayLike<number>): SelfIntersection {
    this.moveTo(code)
    this.tests++
    this.#shape.positions(this.#asked, this.#positions)
    this.#intersection.update(this.#positions)
    return this.#intersection
  }

  #pointsOf(a: number, b: number): PosedPoints {
    if (this.#pair?.a !== a || this.#pair.b !== b) {
      const { triangles } = this.#shape
      const corners = [a, b].flatMap((t) => [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]])
      this.#pair = { a, b, points: this.#shape.movedPoints(corners) }
    }
    return this.#pair.points
  }
}
