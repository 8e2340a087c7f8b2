/**
 * Far points: from a body's ten thousandfold size on, a network answers by one nearer by and its slope, on the way to the
 * body. From there the body is a point, so nothing is lost, and what far distances do to floats does not show: in single
 * precision bones get confused from 1e5 m on, and squares overflow at 2e19. So both backends agree on every finite
 * point. A point that is not finite is answered with NaN.
 */
import type { Floats } from '../../math/floats.js'
import type { BoneNetworkShape } from './bone-shape.js'

/** Up to which distance a network answers by itself, in units of the shape's scale. */
const REACH = 1e4

/** Answers one point with its gradient. */
export type AskOne = (point: Float64Array, outDistance: Float64Array, outGradient: Float64Array) => void

export class FarPoints {
  readonly #ask: AskOne
  readonly #reach: number
  readonly #near = new Float64Array(3)
  readonly #distance = new Float64Array(1)
  readonly #gradient = new Float64Array(3)

  constructor({ scale }: Pick<BoneNetworkShape, 'scale'>, ask: AskOne) {
    this.#reach = REACH * scale
    this.#ask = ask
  }

  /**
   * Looks through the answers of a batch, and answers those again that say how far their points are.
   * @param body  any place on it, in the root frame [m]
   */
  answer(body: Floats, points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    const reach = this.#reach
    for (let i = 0; i < count; i++) {
      // Written so that NaN goes on.
      if (Math.abs(distances[i]) <= reach) continue
      const far = Math.hypot(points[3 * i] - body[0], points[3 * i + 1] - body[1], points[3 * i + 2] - body[2])
      if (far <= reach) continue
      const [distance, gradient] = [this.#distance.fill(Number.NaN), this.#gradient.fill(Number.NaN)]
      if (far < Infinity) this.#askNearer(body, points, 3 * i, far)
      distances[i] = distance[0]
      if (gradients) for (let axis = 0; axis < 3; axis++) gradients[3 * i + axis] = gradient[axis]
    }
  }

  #askNearer(body: Floats, points: Floats, at: number, far: number): void {
    const [near, distance, gradient] = [this.#near, this.#distance, this.#gradient]
    for (let axis = 0; axis < 3; axis++)
      near[axis] = body[axis] + (points[at + axis] - body[axis]) * (this.#reach / far)
    this.#ask(near, distance, gradient)
    for (let axis = 0; axis < 3; axis++) distance[0] += gradient[axis] * (points[at + axis] - near[axis])
  }
}
