/** Both fields at one point, for the read-out under the cursor. */
import { ExactMeshField } from 'pliant/exact'
import type { StudioObject } from './studio-object.js'

export interface ProbeReading {
  point: readonly [number, number, number]
  /** Signed distances [m]. */
  learned: number
  exact: number
}

export class Probe {
  readonly #exact: ExactMeshField
  #stale = false
  readonly #point = new Float64Array(3)
  readonly #distance = new Float64Array(1)

  constructor(private readonly object: StudioObject) {
    const { rest, triangles } = object.artifact.model
    this.#exact = new ExactMeshField({ positions: rest, triangles })
  }

  /** The object has a new pose; the tree is refitted when somebody asks. */
  moved(): void {
    this.#stale = true
  }

  /** @param positions vertices [m] of the pose that the object's field is in */
  read(point: readonly [number, number, number], positions: Float64Array): ProbeReading {
    if (this.#stale) this.#exact.update({ vertices: positions })
    this.#stale = false
    this.#point.set(point)
    this.#exact.query(this.#point, 1, this.#distance)
    const exact = this.#distance[0]
    this.object.field.query(this.#point, 1, this.#distance)
    return { point, learned: this.#distance[0], exact }
  }
}
