/**
 * Where a surface that deforms meets a field: its vertices that are near or inside, and on demand the deepest places of
 * its edges and triangles between them (surface-minima.ts), all in one list. Nothing is allocated by `find`.
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Floats } from '../../math/floats.js'
import { SurfaceMinima } from './surface-minima.js'

/** Gradients shorter than this say nothing about a direction. */
const NO_DIRECTION = 1e-6

/** Where a surface meets something: at its vertices (of cloth centres of triangles, too), or all over its edges and triangles. */
export type MeetsAt = 'points' | 'surface'

export class SurfacePlaces {
  /** How many were found: the first so many entries of every array. Vertices come first. */
  count = 0
  /** How many of them are vertices. */
  vertices = 0
  /** How many there is room for. */
  readonly capacity: number
  /** The vertex; from the number of vertices on the edge, and after all edges the triangle. */
  readonly features: Uint32Array
  /**
   * The three vertices that each lies between; a vertex is thrice itself, an edge's first end is its third corner, too.
   */
  readonly corners: Uint32Array
  /** How much of each corner, three weights that add up to 1. */
  readonly weights: Float64Array
  /** Where it is [m], xyz triples. */
  readonly points: Float64Array
  /** The field there [m]. */
  readonly distances: Float64Array
  /** Way to the field's surface along the normal [m], negative: depth. Of a vertex its distance. */
  readonly separations: Float64Array
  /** Unit vectors out of the field, xyz triples. */
  readonly normals: Float64Array
  /** The field at every vertex, as it was asked last [m]. */
  readonly values: Float64Array
  readonly #minima: SurfaceMinima | undefined
  readonly #gradients: Float64Array

  /** @param triangles  vertex numbers, three per triangle. Not copied */
  constructor(
    triangles: Uint32Array,
    readonly vertexCount: number,
    at: MeetsAt,
  ) {
    if (at === 'surface') this.#minima = new SurfaceMinima(triangles, vertexCount)
    const capacity = vertexCount + (this.#minima?.distances.length ?? 0)
    this.capacity = capacity
    this.features = new Uint32Array(capacity)
    this.corners = new Uint32Array(3 * capacity)
    this.weights = new Float64Array(3 * capacity)
    this.points = new Float64Array(3 * capacity)
    this.distances = new Float64Array(capacity)
    this.separations = new Float64Array(capacity)
    this.normals = new Float64Array(3 * capacity)
    this.values = new Float64Array(vertexCount)
    this.#gradients = new Float64Array(3 * vertexCount)
  }

  /**
   * Searches the surface where it is now. Where the field answers no number or no direction there is no place.
   * @param positions  of the vertices [m], xyz triples
   * @param within     of each vertex: what lies this far out or further is of no use [m]
   * @returns how many were found
   */
  find(field: SignedField, positions: Floats, within: Floats): number {
    const { values } = this
    field.query(positions, this.vertexCount, values, this.#gradients)
    this.count = 0
    for (let vertex = 0; vertex < this.vertexCount; vertex++) {
      if (values[vertex] < within[vertex]) this.#addVertex(vertex, positions)
    }
    this.vertices = this.count
    if (this.#minima) this.#addBetween(this.#minima, field, positions, within)
    return this.count
  }

  #addVertex(vertex: number, x: Floats): void {
    const gradients = this.#gradients
    const g = 3 * vertex
    const length = Math.sqrt(gradients[g] ** 2 + gradients[g + 1] ** 2 + gradients[g + 2] ** 2)
    if (!(length > NO_DIRECTION && length < Infinity)) return
    const k = this.count++
    const o = 3 * k
    this.features[k] = vertex
    this.distances[k] = this.values[vertex]
    this.separations[k] = this.values[vertex]
    for (let axis = 0; axis < 3; axis++) {
      this.corners[o + axis] = vertex
      this.weights[o + axis] = axis === 0 ? 1 : 0
      this.points[o + axis] = x[g + axis]
      this.normals[o + axis] = gradients[g + axis] / length
    }
  }

  #addBetween(minima: SurfaceMinima, field: SignedField, x: Floats, within: Floats): void {
    const found = minima.find(field, x, this.values, within)
    const start = this.count
    for (let k = 0; k < found; k++) this.features[start + k] = this.vertexCount + minima.features[k]
    this.corners.set(minima.corners.subarray(0, 3 * found), 3 * start)
    this.weights.set(minima.weights.subarray(0, 3 * found), 3 * start)
    this.points.set(minima.points.subarray(0, 3 * found), 3 * start)
    this.distances.set(minima.distances.subarray(0, found), start)
    this.separations.set(minima.separations.subarray(0, found), start)
    this.normals.set(minima.normals.subarray(0, 3 * found), 3 * start)
    this.count += found
  }
}
