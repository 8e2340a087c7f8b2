/**
 * What a part of a shape space whose decoder is one layer without activation adds to the features, in one pass and in plain
 * doubles. Each sum begins at the bias and goes on in the order of the code, as in net/scalar/scalar-layers.ts, so that both
 * give the same last digits; an exact test depends on them. 1.3 ms for a body of 2,500 vertices where layers, copies and
 * weighing took 2.3.
 */
import type { Floats } from '../../math/floats.js'
import { ACAP_CHANNELS } from '../acap/channels.js'
import type { PartSight } from './shape-part.js'

export class AffineFeatures {
  readonly #sight: PartSight
  /** Of each vertex nine numbers by the first value of the code, nine by the next. */
  readonly #weight: Float32Array
  readonly #bias: Float32Array
  /** As networks see a code, in single precision. */
  readonly #code: Float64Array

  /** @param weight  row-major [codeSize, nine per vertex]; copied */
  constructor(sight: PartSight, weight: Float32Array, bias: Float32Array) {
    const { codeSize, vertices } = sight
    this.#sight = sight
    this.#bias = bias
    this.#code = new Float64Array(codeSize)
    this.#weight = new Float32Array(weight.length)
    for (let v = 0, to = 0; v < vertices.length; v++) {
      for (let k = 0; k < codeSize; k++, to += ACAP_CHANNELS) {
        const from = ACAP_CHANNELS * (k * vertices.length + v)
        this.#weight.set(weight.subarray(from, from + ACAP_CHANNELS), to)
      }
    }
  }

  /**
   * @param start   where the part's share of the code begins
   * @param factor  of the numbers, beside the attention
   * @param whole   nine per vertex of the whole surface
   */
  add(code: ArrayLike<number>, start: number, factor: number, whole: Floats): void {
    const { codeSize, vertices, attention } = this.#sight
    const [w, bias, own] = [this.#weight, this.#bias, this.#code]
    for (let k = 0; k < codeSize; k++) own[k] = Math.fround(code[start + k])
    for (let v = 0, at = 0, i = 0; v < vertices.length; v++, i += ACAP_CHANNELS) {
      let a = bias[i]
      let b = bias[i + 1]
      let c = bias[i + 2]
      let d = bias[i + 3]
      let e = bias[i + 4]
      let f = bias[i + 5]
      let g = bias[i + 6]
      let h = bias[i + 7]
      let j = bias[i + 8]
      for (let k = 0; k < codeSize; k++, at += ACAP_CHANNELS) {
        const x = own[k]
        a += x * w[at]
        b += x * w[at + 1]
        c += x * w[at + 2]
        d += x * w[at + 3]
        e += x * w[at + 4]
        f += x * w[at + 5]
        g += x * w[at + 6]
        h += x * w[at + 7]
        j += x * w[at + 8]
      }
      const weight = factor * attention[v]
      const to = ACAP_CHANNELS * vertices[v]
      whole[to] += weight * a
      whole[to + 1] += weight * b
      whole[to + 2] += weight * c
      whole[to + 3] += weight * d
      whole[to + 4] += weight * e
      whole[to + 5] += weight * f
      whole[to + 6] += weight * g
      whole[to + 7] += weight * h
      whole[to + 8] += weight * j
    }
  }
}
