/** Dense layers in plain code, one row at a time, sums in double precision: there, and back by reverse mode. */
import { type DenseShape, denseWidths } from '../dense/dense-shape.js'
import type { Tensors } from '../network.js'
import { type ScalarActivation, scalarActivations } from './activation.js'

interface Layer {
  weight: Float32Array
  bias: Float32Array
  activation: ScalarActivation
  /** Sums before the activation, of the row at hand. */
  sums: Float64Array
  outputs: Float64Array
  /** Gradient with respect to the outputs, then to the sums. */
  gradient: Float64Array
}

export class ScalarLayers {
  /** To be filled before `forward`. */
  readonly inputs: Float64Array
  /** What `forward` found. */
  readonly outputs: Float64Array
  /** Gradient with respect to the outputs: to be filled before `backward`, which uses it up. */
  readonly outputGradient: Float64Array
  /** What `backward` found. */
  readonly inputGradient: Float64Array
  readonly #layers: Layer[]

  /** @param tensors  'dense.{l}.weight' and 'dense.{l}.bias' of every layer; kept, so they may change between rows */
  constructor(shape: DenseShape, tensors: Tensors) {
    const widths = denseWidths(shape)
    const last = widths.length - 2
    this.#layers = widths.slice(1).map((width, l) => ({
      weight: tensors.get(`dense.${l}.weight`)!,
      bias: tensors.get(`dense.${l}.bias`)!,
      activation: scalarActivations[l < last ? shape.activation : shape.output],
      sums: new Float64Array(width),
      outputs: new Float64Array(width),
      gradient: new Float64Array(width),
    }))
    this.inputs = new Float64Array(shape.inputs)
    this.inputGradient = new Float64Array(shape.inputs)
    this.outputs = this.#layers[last].outputs
    this.outputGradient = this.#layers[last].gradient
  }

  forward(): void {
    let input = this.inputs
    for (const { weight, bias, activation, sums, outputs } of this.#layers) {
      sums.set(bias)
      for (let i = 0; i < input.length; i++) {
        const x = input[i]
        for (let j = 0, w = i * sums.length; j < sums.length; j++, w++) sums[j] += x * weight[w]
      }
      for (let j = 0; j < sums.length; j++) outputs[j] = activation.value(sums[j])
      input = outputs
    }
  }

  /** After `forward` of the same row. */
  backward(): void {
    for (let l = this.#layers.length - 1; l >= 0; l--) {
      const { weight, activation, sums, outputs, gradient } = this.#layers[l]
      for (let j = 0; j < sums.length; j++) gradient[j] *= activation.slope(sums[j], outputs[j])
      const below = l === 0 ? this.inputGradient : this.#layers[l - 1].gradient
      for (let i = 0, w = 0; i < below.length; i++) {
        let sum = 0
        for (let j = 0; j < sums.length; j++, w++) sum += gradient[j] * weight[w]
        below[i] = sum
      }
    }
  }
}
