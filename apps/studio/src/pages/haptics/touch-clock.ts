/**
 * Where a step's time goes: the same fields and bodies, with the time of their calls added up. What lies between a
 * query's answer and the next query, or the body's step, is the search for nearest triangles and the forces on them.
 */
import type { MovingField, NodeState, TetMesh } from 'pliant'
import { FemBody, type FemOptions } from 'pliant/sim'

export class TouchClock {
  /** [ms] */
  code = 0
  queries = 0
  nearest = 0
  body = 0
  tool = 0
  #answered: number | undefined

  reset(): void {
    this.code = this.queries = this.nearest = this.body = this.tool = 0
    this.#answered = undefined
  }

  field(field: MovingField<NodeState>): MovingField<NodeState> {
    return {
      update: (state) => {
        const began = performance.now()
        field.update(state)
        this.code += performance.now() - began
      },
      query: (points, count, distances, gradients) => {
        const began = this.#leaveNearest()
        field.query(points, count, distances, gradients)
        this.#answered = performance.now()
        this.queries += this.#answered - began
      },
      bounds: (box) => field.bounds(box),
    }
  }

  stepped(part: 'body' | 'tool', step: () => void): void {
    const began = this.#leaveNearest()
    step()
    this[part] += performance.now() - began
  }

  #leaveNearest(): number {
    const now = performance.now()
    if (this.#answered !== undefined) this.nearest += now - this.#answered
    this.#answered = undefined
    return now
  }
}

export class TimedBody extends FemBody {
  constructor(
    mesh: TetMesh,
    options: FemOptions,
    private readonly clock: TouchClock,
    private readonly part: 'body' | 'tool',
  ) {
    super(mesh, options)
  }

  override step(frame: number): void {
    this.clock.stepped(this.part, () => super.step(frame))
  }
}
