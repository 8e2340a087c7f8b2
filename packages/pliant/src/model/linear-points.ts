/** Vertices of linear modes, x = X + U q, with their way back to the code: U^T of the gradient. */
import type { Floats } from '../math/floats.js'
import { requireNumbers } from '../math/require.js'
import type { LinearModes } from './linear-modes.js'
import type { MovedPoints } from './reduced-model.js'

export class LinearPoints implements MovedPoints {
  readonly codeSize: number
  readonly pointCount: number
  readonly #rest: Float64Array
  /** Of each mode in turn, what it adds to the points. */
  readonly #modes: Float64Array

  /** @param vertices  those asked for; left out: all, without a copy */
  constructor({ codeSize, vertexCount, rest, modes }: LinearModes, vertices?: ArrayLike<number>) {
    this.codeSize = codeSize
    this.pointCount = vertices?.length ?? vertexCount
    this.#rest = vertices ? picked(rest, vertexCount, vertices) : rest
    this.#modes = vertices ? picked(modes, vertexCount, vertices) : modes
  }

  positions(code: ArrayLike<number>, out: Floats): void {
    requireNumbers('linear points', code, 'code value', this.codeSize)
    const length = this.#rest.length
    for (let i = 0; i < length; i++) {
      let sum = this.#rest[i]
      for (let k = 0; k < this.codeSize; k++) sum += code[k] * this.#modes[k * length + i]
      out[i] = sum
    }
  }

  pullBack(_code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void {
    const length = this.#rest.length
    for (let k = 0; k < this.codeSize; k++) {
      let sum = 0
      for (let i = 0; i < length; i++) sum += this.#modes[k * length + i] * cotangents[i]
      out[k] = sum
    }
  }
}

/** Of one array of vertices after the other, some of them. */
function picked(values: Float64Array, vertexCount: number, vertices: ArrayLike<number>): Float64Array {
  const arrays = values.length / (3 * vertexCount)
  const out = new Float64Array(3 * arrays * vertices.length)
  for (let k = 0, to = 0; k < arrays; k++) {
    for (let v = 0; v < vertices.length; v++) {
      const from = 3 * (k * vertexCount + vertices[v])
      for (let axis = 0; axis < 3; axis++) out[to++] = values[from + axis]
    }
  }
  return out
}
