/** Vectors of gaps to what a network sees of them, g = a log(|v|^2 + e^2) + b, and the way back; tensors: gap-shape.ts. */
import type { Tensors } from '../network.js'

export class SeenGaps {
  readonly #softening: Float32Array
  readonly #scale: Float32Array
  readonly #shift: Float32Array

  /** @param tensors  gap.softening, gap.scale and gap.shift, a number for each gap */
  constructor(tensors: Tensors) {
    this.#softening = tensors.get('gap.softening')!
    this.#scale = tensors.get('gap.scale')!
    this.#shift = tensors.get('gap.shift')!
  }

  /** @param v  three numbers for each gap, from `from` on */
  write(v: Float64Array, from: number, out: Float32Array, at: number): void {
    for (let k = 0, i = from; k < this.#scale.length; k++, i += 3) {
      out[at + k] = this.#scale[k] * Math.log(this.#square(v, i, k)) + this.#shift[k]
    }
  }

  /**
   * dy/dv = dy/dg 2 a v / (|v|^2 + e^2).
   * @param v      vectors of the gaps from `from` on, which become gradients by them
   * @param given  dy/dg from `at` on
   */
  pullBack(v: Float64Array, from: number, given: Float32Array, at: number): void {
    for (let k = 0, i = from; k < this.#scale.length; k++, i += 3) {
      const factor = (2 * this.#scale[k] * given[at + k]) / this.#square(v, i, k)
      v[i] *= factor
      v[i + 1] *= factor
      v[i + 2] *= factor
    }
  }

  #square(v: Float64Array, i: number, k: number): number {
    const e = this.#softening[k]
    return v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2] + e * e
  }
}
