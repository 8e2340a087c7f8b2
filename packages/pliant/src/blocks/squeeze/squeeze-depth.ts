/**
 * How deep two bodies are in each other all over their surfaces, by their triangles, whatever their contact goes by.
 */
import { SurfaceMinima } from '../../detect/index.js'
import { ExactMeshField } from '../../exact/index.js'
import { gatherVertices } from '../../respond/index.js'
import type { FemBody } from '../../sim/index.js'

/** Looks at two bodies where they are now: the vertices of each, and the deepest places of its edges and triangles. */
export class SqueezeDepth {
  readonly #sides: readonly [Side, Side]

  constructor(a: FemBody, b: FemBody) {
    this.#sides = [new Side(a), new Side(b)]
  }

  /** Deepest vertex, and deepest place of all, of either inside the other [m]; 0 if all are outside. */
  look(): { vertices: number; surface: number } {
    const [a, b] = this.#sides
    a.follow()
    b.follow()
    const [ofA, ofB] = [a.depthIn(b), b.depthIn(a)]
    return { vertices: Math.max(ofA.vertices, ofB.vertices), surface: Math.max(ofA.surface, ofB.surface) }
  }
}

class Side {
  readonly #body: FemBody
  readonly #field: ExactMeshField
  readonly #vertices: Float64Array
  readonly #minima: SurfaceMinima
  readonly #distances: Float64Array
  readonly #within: Float64Array

  constructor(body: FemBody) {
    const { positions, triangles } = body.surface
    this.#body = body
    this.#field = new ExactMeshField(body.surface)
    this.#vertices = new Float64Array(positions.length)
    this.#distances = new Float64Array(positions.length / 3)
    this.#within = new Float64Array(positions.length / 3)
    this.#minima = new SurfaceMinima(triangles, this.#distances.length)
  }

  follow(): void {
    gatherVertices(this.#body.positions, this.#body.surface.nodeOfVertex, this.#vertices)
    this.#field.update({ vertices: this.#vertices })
  }

  /** Of this surface in the other body. */
  depthIn(other: Side): { vertices: number; surface: number } {
    const distances = this.#distances
    other.#field.query(this.#vertices, distances.length, distances)
    const vertices = distances.reduce((deepest, distance) => Math.max(deepest, -distance), 0)
    const found = this.#minima.find(other.#field, this.#vertices, distances, this.#within)
    const between = this.#minima.distances.subarray(0, found)
    return { vertices, surface: between.reduce((deepest, distance) => Math.max(deepest, -distance), vertices) }
  }
}
