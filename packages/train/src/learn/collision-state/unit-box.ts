/**
 * Codes as they are learned: each entry from -1 to 1 over its box, whatever its unit is. Afterwards the scaling is taken into
 * the first layers, so that nobody else knows of it.
 */
import type { CollisionStateSizes } from 'pliant/unstable'
import type { Weights } from '../rounds/index.js'

export class UnitBox {
  readonly #middle: Float64Array
  readonly #half: Float64Array
  /** Ends of every entry. */
  readonly bounds: { lower: Float64Array; upper: Float64Array }

  constructor({ lower, upper }: { readonly lower: ArrayLike<number>; readonly upper: ArrayLike<number> }) {
    this.#middle = Float64Array.from(lower, (low, k) => (low + upper[k]) / 2)
    // An entry that cannot move tells nothing.
    this.#half = Float64Array.from(lower, (low, k) => (upper[k] > low ? (upper[k] - low) / 2 : 1))
    this.bounds = { lower: new Float64Array(lower.length).fill(-1), upper: new Float64Array(lower.length).fill(1) }
  }

  /** @param codes  one after the other */
  into(codes: Float32Array): Float32Array {
    const size = this.#half.length
    return codes.map((value, i) => (value - this.#middle[i % size]) / this.#half[i % size])
  }

  outOf(codes: Float32Array): Float32Array {
    const size = this.#half.length
    return codes.map((value, i) => this.#middle[i % size] + value * this.#half[i % size])
  }

  /** Length of a gradient by the code itself. @param gradient  by the code in the box, at `row` */
  lengthOf(gradients: Float32Array, row: number): number {
    const size = this.#half.length
    let squared = 0
    for (let k = 0; k < size; k++) squared += (gradients[row * size + k] / this.#half[k]) ** 2
    return Math.sqrt(squared)
  }

  /** The same network of codes as they are. */
  outOfWeights({ codeSize, domains, state }: CollisionStateSizes, weights: Weights): Map<string, Float32Array> {
    const out = new Map([...weights].map(([name, values]) => [name, values.slice()]))
    const take = (weight: Float32Array, bias: Float32Array, row: number, entry: number, unit: number): void => {
      const width = bias.length
      for (let j = 0; j < width; j++) {
        const at = row * width + j
        bias[j] -= (this.#middle[entry] / unit) * weight[at]
        weight[at] /= unit
      }
    }
    const encoder = ['encoder.0.weight', 'encoder.0.bias'].map((name) => out.get(name)!)
    for (let k = 0; k < codeSize; k++) take(encoder[0], encoder[1], k, k, this.#half[k])
    const [weights0, biases0] = ['predictor.0.weight', 'predictor.0.bias'].map((name) => out.get(name)!)
    domains.forEach((entries, i) => {
      const own = (all: Float32Array): Float32Array =>
        all.subarray((i * all.length) / domains.length, ((i + 1) * all.length) / domains.length)
      entries.forEach((entry, k) => {
        take(own(weights0), own(biases0), state + k, entry, this.#half[entry])
      })
    })
    return out
  }
}
