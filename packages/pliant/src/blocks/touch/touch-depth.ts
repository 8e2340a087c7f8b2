/** How deep two bodies are inside each other by their triangles, whatever their contact goes by. */
import { ExactMeshField } from '../../exact/index.js'
import { boxOfPoints } from '../../index.js'
import { gatherVertices } from '../../respond/index.js'
import type { FemBody } from '../../sim/index.js'

/** Looks at both bodies of a scene where they are now. */
export class TouchDepth {
  readonly #body: Surface
  readonly #tool: Surface

  constructor({ body, tool }: { body: FemBody; tool: FemBody }) {
    this.#body = new Surface(body)
    this.#tool = new Surface(tool)
  }

  /** Vertices of what is touched as of the last look [m], xyz triples. */
  get bodyVertices(): Float64Array {
    return this.#body.vertices
  }

  /** Vertices of the tool as of the last look [m], xyz triples. */
  get toolVertices(): Float64Array {
    return this.#tool.vertices
  }

  /** Deepest vertex of each inside the other [m]; 0 if all are outside. */
  look(): { toolInBody: number; bodyInTool: number } {
    this.#body.follow()
    this.#tool.follow()
    return { toolInBody: this.#body.deepest(this.#tool), bodyInTool: this.#tool.deepest(this.#body) }
  }
}

class Surface {
  readonly vertices: Float64Array
  readonly #fem: FemBody
  readonly #field: ExactMeshField
  /** Vertices of the other in this one's box. */
  readonly #near: number[] = []
  #moved = true

  constructor(fem: FemBody) {
    this.#fem = fem
    this.vertices = fem.surface.positions.slice()
    this.#field = new ExactMeshField(fem.surface)
  }

  follow(): void {
    gatherVertices(this.#fem.positions, this.#fem.surface.nodeOfVertex, this.vertices)
    this.#moved = true
  }

  deepest({ vertices: points }: Surface): number {
    const { lower, upper } = boxOfPoints(this.vertices)
    const near = this.#near
    near.length = 0
    for (let i = 0; i < points.length; i += 3) {
      let inside = true
      for (let axis = 0; axis < 3; axis++) inside &&= points[i + axis] > lower[axis] && points[i + axis] < upper[axis]
      if (inside) near.push(points[i], points[i + 1], points[i + 2])
    }
    if (near.length === 0) return 0
    // A tree that nobody asks need not be refitted.
    if (this.#moved) this.#field.update({ vertices: this.vertices })
    this.#moved = false
    const distances = new Float64Array(near.length / 3)
    this.#field.query(Float64Array.from(near), distances.length, distances)
    return distances.reduce((deepest, distance) => Math.max(deepest, -distance), 0)
  }
}
