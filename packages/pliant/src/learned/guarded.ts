/**
 * The learned field where it trusts itself, another where it does not: in shapes far from those it was trained on.
 */
import type { MovingField } from '../field/signed-field.js'
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import type { SelfAware } from './trained-field.js'

/** A learned field where it trusts itself, another where it does not: in shapes far from those it was trained on. */
export class GuardedField<State> implements MovingField<State> {
  /** Whether the learned field answers for the present shape. */
  trusted = true

  /** @param other  asked where the learned field is not trusted: the exact mesh, say */
  constructor(
    private readonly learned: MovingField<State> & Pick<SelfAware, 'trusted'>,
    private readonly other: MovingField<State>,
  ) {}

  /** Moves the learned field, and the other one as well where that has to answer. */
  update(state: State): void {
    this.learned.update(state)
    this.trusted = this.learned.trusted
    if (!this.trusted) this.other.update(state)
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    this.#answering.query(points, count, distances, gradients)
  }

  bounds(box: Box): readonly [number, number] | undefined {
    return this.#answering.bounds(box)
  }

  get #answering(): MovingField<State> {
    return this.trusted ? this.learned : this.other
  }
}
