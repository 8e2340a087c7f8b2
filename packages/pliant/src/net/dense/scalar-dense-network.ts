/** The dense network in plain code: the fallback, and the reference that every other backend is checked against. */
import type { Floats } from '../../math/floats.js'
import type { Tensors } from '../network.js'
import { ScalarLayers } from '../scalar/scalar-layers.js'
import { requirePullBack, requireRows } from './dense-checks.js'
import type { DenseNetwork } from './dense-network.js'
import type { DenseShape } from './dense-shape.js'

export class ScalarDenseNetwork implements DenseNetwork {
  readonly backend = 'scalar'
  readonly shape: DenseShape
  readonly #layers: ScalarLayers

  /** @param tensors  checked to be complete; kept, not copied */
  constructor(
    shape: DenseShape,
    tensors: Tensors,
    readonly backendNote?: string,
  ) {
    this.shape = shape
    this.#layers = new ScalarLayers(shape, tensors)
  }

  evaluate(inputs: Floats, count: number, out: Floats): void {
    requireRows(this.shape, inputs, count, out)
    for (let row = 0; row < count; row++) this.#forward(inputs, row, out)
  }

  pullBack(inputs: Floats, count: number, cotangents: Floats | null, outValues: Floats, outGradients: Floats): void {
    requirePullBack(this.shape, inputs, count, cotangents, outValues, outGradients)
    const { outputs, inputs: size } = this.shape
    const { outputGradient, inputGradient } = this.#layers
    for (let row = 0; row < count; row++) {
      this.#forward(inputs, row, outValues)
      for (let j = 0; j < outputs; j++) outputGradient[j] = cotangents ? cotangents[row * outputs + j] : 1
      this.#layers.backward()
      for (let i = 0; i < size; i++) outGradients[row * size + i] = inputGradient[i]
    }
  }

  dispose(): void {}

  #forward(given: Floats, row: number, out: Floats): void {
    const { inputs, outputs } = this.#layers
    // Single precision, as the kernels see the inputs.
    for (let i = 0; i < inputs.length; i++) inputs[i] = Math.fround(given[row * inputs.length + i])
    this.#layers.forward()
    for (let j = 0; j < outputs.length; j++) out[row * outputs.length + j] = outputs[j]
  }
}
