/** Random dense networks for tests: small weights, so that values and gradients stay of order one. */
import { randomStream } from '../../../src/math/random.js'
import { type DenseShape, denseTensors } from '../../../src/net/dense/dense-shape.js'
import { ACTIVATIONS } from '../random-network.js'

const OUTPUTS: DenseShape['output'][] = ['linear', 'tanh', 'softplus', 'elu', 'silu']

/** Widths that are no multiple of 16, none to four hidden layers, few and many outputs. */
export function randomDenseShape(seed: number, fixed: Partial<DenseShape> = {}): DenseShape {
  const random = randomStream(seed, 81)
  return {
    inputs: 1 + random.below(70),
    outputs: random.uniform() < 0.4 ? 1 : 1 + random.below(90),
    hidden: Array.from({ length: random.below(5) }, () => 1 + random.below(70)),
    activation: ACTIVATIONS[random.below(ACTIVATIONS.length)],
    output: OUTPUTS[random.below(OUTPUTS.length)],
    ...fixed,
  }
}

export function randomDenseTensors(shape: DenseShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed, 82)
  return new Map(
    [...denseTensors(shape)].map(([name, dimensions]) => {
      const scale = dimensions.length === 2 ? 1.3 / Math.sqrt(dimensions[0]) : 0.5
      const length = dimensions.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length }, () => scale * random.normal())]
    }),
  )
}

/** [count, width], of order one. */
export function randomRows(count: number, width: number, seed: number): Float32Array {
  const random = randomStream(seed, 83)
  return Float32Array.from({ length: count * width }, () => random.between(-1, 1))
}
