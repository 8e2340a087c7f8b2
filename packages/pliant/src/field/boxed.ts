/**
 * The same field, asked only for points near the box around its body: the broad phase of a batch, since most points of
 * one body are nowhere near the other. Points further away than the margin get their distance to that box, which is
 * never more than the distance to the body.
 */
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireQuery } from '../math/require.js'
import { answerNotFinite } from './not-finite.js'
import type { MovingField } from './signed-field.js'

/** Where a `BoxedField` stops asking. */
export interface BoxedFieldOptions<State> {
  /** Around the box [m]: points within it are asked. More than anything moves in a step. */
  margin: number
  /** The box around the body in a state, in the frame of queries; `boxOfPoints` of nodes or vertices. */
  boxOf: (state: State) => Box
}

/**
 * A field that is asked only for points near the box around its body: the broad phase of a batch. Points further away
 * than the margin get their distance to that box, which is never more than that to the body.
 */
export class BoxedField<State> implements MovingField<State> {
  private readonly lower = new Float64Array(3).fill(Number.NEGATIVE_INFINITY)
  private readonly upper = new Float64Array(3).fill(Number.POSITIVE_INFINITY)
  /** Which points are asked, their places, and the answers. */
  private chosen = new Uint32Array(0)
  private places = new Float64Array(0)
  private distances = new Float64Array(0)
  private gradients = new Float64Array(0)

  /** All points are asked until the first update. @throws RangeError if the margin is not positive */
  constructor(
    /** The field that is asked near the body. */ readonly field: MovingField<State>,
    private readonly options: BoxedFieldOptions<State>,
  ) {
    if (!(options.margin > 0)) {
      throw new RangeError(`boxed field: margin is ${options.margin}; give a positive length [m].`)
    }
  }

  update(state: State): void {
    this.field.update(state)
    const { lower, upper } = this.options.boxOf(state)
    this.lower.set(lower)
    this.upper.set(upper)
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    const near = this.choose(points, count, distances, gradients)
    if (near === 0) return
    this.field.query(this.places, near, this.distances, gradients && this.gradients)
    for (let n = 0; n < near; n++) {
      const i = this.chosen[n]
      distances[i] = this.distances[n]
      if (!gradients) continue
      for (let axis = 0; axis < 3; axis++) gradients[3 * i + axis] = this.gradients[3 * n + axis]
    }
  }

  /** The field's own, as far as all of the box is asked; further away from the box around the body, nothing is known. */
  bounds(box: Box): readonly [number, number] | undefined {
    const { margin } = this.options
    for (let axis = 0; axis < 3; axis++) {
      if (!(box.lower[axis] > this.lower[axis] - margin && box.upper[axis] < this.upper[axis] + margin))
        return undefined
    }
    return this.field.bounds(box)
  }

  /** Answers points that are far from the box; lists the others. @returns how many these are */
  private choose(points: Floats, count: number, distances: Floats, gradients: Floats | undefined): number {
    this.reserve(count)
    const { chosen, places } = this
    const [lx, ly, lz] = this.lower
    const [ux, uy, uz] = this.upper
    const reach = this.options.margin * this.options.margin
    let near = 0
    for (let i = 0; i < count; i++) {
      const x = points[3 * i]
      const y = points[3 * i + 1]
      const z = points[3 * i + 2]
      if (0 * x + 0 * y + 0 * z !== 0 && answerNotFinite(points, i, distances, gradients)) continue
      const dx = x < lx ? x - lx : x > ux ? x - ux : 0
      const dy = y < ly ? y - ly : y > uy ? y - uy : 0
      const dz = z < lz ? z - lz : z > uz ? z - uz : 0
      const squared = dx * dx + dy * dy + dz * dz
      if (squared < reach) {
        chosen[near] = i
        places[3 * near] = x
        places[3 * near + 1] = y
        places[3 * near + 2] = z
        near++
        continue
      }
      const distance = Math.sqrt(squared)
      distances[i] = distance
      if (!gradients) continue
      gradients[3 * i] = dx / distance
      gradients[3 * i + 1] = dy / distance
      gradients[3 * i + 2] = dz / distance
    }
    return near
  }

  private reserve(count: number): void {
    if (this.chosen.length >= count) return
    this.chosen = new Uint32Array(count)
    this.places = new Float64Array(3 * count)
    this.distances = new Float64Array(count)
    this.gradients = new Float64Array(3 * count)
  }
}
