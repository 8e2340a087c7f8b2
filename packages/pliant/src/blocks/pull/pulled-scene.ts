/**
 * A body with modes on a table, pulled about: what the page shows and the bench measures (Cai et al., section 6 and their
 * video). What keeps it from running into itself is chosen: nothing, a learned field, or that with an exact test behind it.
 */
import {
  boxOfPoints,
  type ConfigurationField,
  type ExactTest,
  fieldHalfSpace,
  type SelfContactArtifact,
} from '../../index.js'
import {
  type Pull,
  type ReducedBody,
  type ReducedReport,
  ReducedWorld,
  reducedBodyOfArtifact,
  type SelfResponse,
} from '../../sim/index.js'
import { boxDiagonal } from '../../unstable.js'

/** What keeps the body from running into itself, and how it resists. */
export interface PulledSceneOptions {
  /** Distance to self-contact of its codes; without it the body passes through itself. */
  field?: ConfigurationField
  /** Asked after each step that the field allows. */
  exact?: ExactTest
  /** Ours, or the paper's row, which acts once the field is negative. */
  response?: SelfResponse
  /** Damping ratio of every mode. */
  damping?: number
  /** 'linear', or 'stvk', which is right for large bends. */
  elasticity?: 'linear' | 'stvk'
}
export const PULLED_SCENE_DEFAULTS = { response: 'speculative', damping: 0.1, elasticity: 'linear' } as const

/** How far above the table the body begins, as a share of its size. */
const DROP = 0.1

/** Of a pull: force [N] per metre and kilogram, so that bodies of any size follow alike. */
const STIFFNESS = 4000
const DAMPING = 40

export class PulledScene {
  readonly body: ReducedBody
  readonly world: ReducedWorld
  /** Diagonal of the body at rest [m]. */
  readonly size: number
  readonly #start: Float64Array

  constructor(artifact: Pick<SelfContactArtifact, 'manifest' | 'model' | 'body'>, options: PulledSceneOptions = {}) {
    const { field, exact, response, damping, elasticity } = { ...PULLED_SCENE_DEFAULTS, ...options }
    this.body = reducedBodyOfArtifact(artifact, { field, exact, damping, elasticity })
    this.size = boxDiagonal(boxOfPoints(this.body.rest))
    let lowest = Infinity
    for (let i = 1; i < this.body.rest.length; i += 3) lowest = Math.min(lowest, this.body.rest[i])
    this.#start = Float64Array.of(0, DROP * this.size - lowest, 0)
    // The field's plane is the table's top: inside is below.
    const table = { field: fieldHalfSpace([0, 1, 0], 0) }
    this.world = new ReducedWorld([this.body], { obstacles: [table], selfResponse: response })
    this.reset()
  }

  /** Back above the table, at rest, as if nothing had been before; pulls stay. */
  reset(): void {
    const { body } = this
    body.position.set(this.#start)
    body.orientation.set([0, 0, 0, 1])
    for (const still of [body.velocity, body.angularMomentum, body.code, body.codeVelocity]) still.fill(0)
    this.world.forget()
  }

  /** Takes hold of a vertex; write the pull's `target` to move it. */
  pull(vertex: number): Pull {
    const { mass } = this.body
    return this.world.pull(this.body, vertex, { stiffness: STIFFNESS * mass, damping: DAMPING * mass })
  }

  release(pull: Pull): void {
    this.world.release(pull)
  }

  /** @param dt  [s] */
  step(dt: number): Readonly<ReducedReport> {
    return this.world.step(dt)
  }
}
