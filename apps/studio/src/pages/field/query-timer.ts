/**
 * Times the job that collision detection does every frame, with the learned field and with a refitted bounding volume
 * hierarchy: take the new pose, then answer a batch of points near the surface. Same points, same thread.
 */
import { type LinearModes, randomStream, type TrainedField } from 'pliant'
import type { ExactMeshField } from 'pliant/exact'

/** Points of one round. */
export const TIMED_QUERIES = 1000
/** Rounds whose median is shown. */
export const TIMED_ROUNDS = 21
/**
 * Turns of each in a round, one after the other: a slow moment of the machine meets both, and a round lasts long enough
 * for a browser's clock, which may go by tenths of a millisecond.
 */
const TURNS = 4

export class QueryTimer {
  readonly #vertices = new Uint32Array(TIMED_QUERIES)
  readonly #offsets = new Float32Array(3 * TIMED_QUERIES)
  readonly #points = new Float32Array(3 * TIMED_QUERIES)
  readonly #distances = new Float32Array(TIMED_QUERIES)

  constructor(
    private readonly field: TrainedField,
    private readonly exact: ExactMeshField,
    model: LinearModes,
    truncation: number,
  ) {
    const random = randomStream(1)
    // Half the truncation as spread: near the surface, where contact is decided and where a tree is at its fastest.
    const spread = truncation / 2
    for (let i = 0; i < TIMED_QUERIES; i++) {
      this.#vertices[i] = random.below(model.vertexCount)
      for (let axis = 0; axis < 3; axis++) this.#offsets[3 * i + axis] = spread * random.normal()
    }
  }

  /**
   * Mean times of a turn.
   * @param positions vertices [m] at the code; making them is counted for neither side
   */
  round(code: Float64Array, positions: Float64Array): { learnedMs: number; exactMs: number } {
    for (let i = 0; i < TIMED_QUERIES; i++) {
      for (let axis = 0; axis < 3; axis++) {
        this.#points[3 * i + axis] = positions[3 * this.#vertices[i] + axis] + this.#offsets[3 * i + axis]
      }
    }
    const spent = { learnedMs: 0, exactMs: 0 }
    for (let turn = 0; turn < TURNS; turn++) {
      const began = performance.now()
      this.field.update({ code })
      this.field.query(this.#points, TIMED_QUERIES, this.#distances)
      const between = performance.now()
      this.exact.update({ vertices: positions })
      this.exact.query(this.#points, TIMED_QUERIES, this.#distances)
      spent.learnedMs += (between - began) / TURNS
      spent.exactMs += (performance.now() - between) / TURNS
    }
    return spent
  }
}
