/**
 * The same field, asked only for points near the box around its body: most vertices of one body are nowhere near the
 * other. Those get an infinite distance.
 */
import { boxOfPoints } from 'pliant'
import type { TouchField } from 'pliant/respond'

type Points = Parameters<TouchField['gradient']>[0]

export class BoxedField implements TouchField {
  readonly #field: TouchField
  readonly #margin: number
  readonly #lower = new Float64Array(3)
  readonly #upper = new Float64Array(3)
  /** Which points are asked, their places, and the answers. */
  #chosen = new Uint32Array(0)
  #places = new Float64Array(0)
  #distances = new Float64Array(0)
  #gradients = new Float64Array(0)

  /** @param margin around the box [m]: more than anything moves in a step */
  constructor(field: TouchField, margin: number) {
    this.#field = field
    this.#margin = margin
  }

  follow(positions: Points): void {
    this.#field.follow(positions)
    const { lower, upper } = boxOfPoints(positions)
    for (let axis = 0; axis < 3; axis++) {
      this.#lower[axis] = lower[axis] - this.#margin
      this.#upper[axis] = upper[axis] + this.#margin
    }
  }

  gradient(points: Points, count: number, outDistances: Points, outGradients: Points): void {
    const near = this.#choose(points, count)
    if (near > 0) this.#field.gradient(this.#places, near, this.#distances, this.#gradients)
    outDistances.fill(Infinity, 0, count)
    outGradients.fill(0, 0, 3 * count)
    for (let n = 0; n < near; n++) {
      const i = this.#chosen[n]
      outDistances[i] = this.#distances[n]
      for (let axis = 0; axis < 3; axis++) outGradients[3 * i + axis] = this.#gradients[3 * n + axis]
    }
  }

  #choose(points: Points, count: number): number {
    if (this.#chosen.length < count) {
      this.#chosen = new Uint32Array(count)
      this.#places = new Float64Array(3 * count)
      this.#distances = new Float64Array(count)
      this.#gradients = new Float64Array(3 * count)
    }
    const [lx, ly, lz] = this.#lower
    const [ux, uy, uz] = this.#upper
    let near = 0
    for (let i = 0; i < count; i++) {
      const x = points[3 * i]
      const y = points[3 * i + 1]
      const z = points[3 * i + 2]
      if (!(x > lx && x < ux && y > ly && y < uy && z > lz && z < uz)) continue
      this.#chosen[near] = i
      this.#places[3 * near] = x
      this.#places[3 * near + 1] = y
      this.#places[3 * near + 2] = z
      near++
    }
    return near
  }
}
