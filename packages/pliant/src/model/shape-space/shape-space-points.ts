/** Vertices of a shape space as points with gradients by the code. */
import type { Floats } from '../../math/floats.js'
import type { MovedPoints } from '../reduced-model.js'
import type { ShapeSpace } from './shape-space.js'

export class ShapeSpacePoints implements MovedPoints {
  readonly codeSize: number
  readonly pointCount: number
  readonly #space: ShapeSpace
  readonly #vertices: ArrayLike<number> | undefined
  /** Of all vertices: positions, or gradients by them. */
  readonly #all: Float64Array

  /** @param vertices  those asked for; left out: all */
  constructor(space: ShapeSpace, vertices?: ArrayLike<number>) {
    this.codeSize = space.codeSize
    this.pointCount = vertices?.length ?? space.vertexCount
    this.#space = space
    this.#vertices = vertices
    this.#all = new Float64Array(3 * space.vertexCount)
  }

  positions(code: ArrayLike<number>, out: Floats): void {
    this.#space.positions(code, this.#all)
    this.#eachValue((point, vertex) => {
      out[point] = this.#all[vertex]
    })
  }

  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void {
    this.#all.fill(0)
    // A vertex may be asked for twice.
    this.#eachValue((point, vertex) => {
      this.#all[vertex] += cotangents[point]
    })
    this.#space.pullBack(code, this.#all, out)
  }

  #eachValue(take: (point: number, vertex: number) => void): void {
    for (let i = 0; i < this.pointCount; i++) {
      const vertex = this.#vertices?.[i] ?? i
      for (let axis = 0; axis < 3; axis++) take(3 * i + axis, 3 * vertex + axis)
    }
  }
}
