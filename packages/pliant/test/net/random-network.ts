/** Random network shapes and tensors for tests: small weights, so that values and gradients stay of order one. */
import { type Random, randomStream } from '../../src/math/random.js'
import { type Activation, type GridShape, type NetworkShape, networkTensors } from '../../src/net/network-shape.js'

export const ACTIVATIONS: Activation[] = ['relu', 'silu', 'tanh', 'elu', 'softplus']

/** A shape drawn from every feature: widths that are no multiple of 16, warp or none, 0 to 3 grids, both conditionings. */
export function randomShape(random: Random): NetworkShape {
  const warp = random.uniform() < 0.4 ? randomGrid(random, 3 + random.below(7)) : null
  const blend = warp !== null || random.uniform() < 0.4
  return {
    code: random.uniform() < 0.2 ? 0 : 1 + random.below(20),
    conditioning: blend
      ? {
          kind: 'blend',
          coefficients: 4 + random.below(10),
          hidden: random.uniform() < 0.5 ? 0 : 1 + random.below(20),
          layers: random.uniform() < 0.5 ? 0 : 1 + random.below(4),
        }
      : { kind: 'input' },
    warp,
    grids: Array.from({ length: random.below(4) }, () => randomGrid(random, 1 + random.below(9))),
    hidden: Array.from({ length: random.below(5) }, () => 1 + random.below(70)),
    activation: ACTIVATIONS[random.below(ACTIVATIONS.length)],
    output: random.uniform() < 0.5 ? 'linear' : 'tanh',
  }
}

function randomGrid(random: Random, channels: number): GridShape {
  const nodes = (): number => 2 + random.below(6)
  return { resolution: [nodes(), nodes(), nodes()], channels, lower: [-1, -1.1, -0.9], upper: [1, 0.9, 1.2] }
}

export function randomTensors(shape: NetworkShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed, 77)
  const tensors = new Map<string, Float32Array>()
  for (const [name, dimensions] of networkTensors(shape)) {
    const length = dimensions.reduce((product, n) => product * n, 1)
    const isWeight = name.startsWith('dense') && name.includes('weight')
    const inputs = isWeight ? dimensions[dimensions.length - 2] : 4
    const scale = (name.includes('basis') ? 0.2 : name.startsWith('warp') ? 0.3 : 1.3) / Math.sqrt(Math.max(inputs, 1))
    tensors.set(
      name,
      Float32Array.from({ length }, () => scale * random.normal()),
    )
  }
  return tensors
}

/** Points of which some lie outside of every grid. */
export function randomPoints(count: number, seed: number): Float32Array {
  const random = randomStream(seed, 78)
  return Float32Array.from({ length: 3 * count }, () => random.between(-1.4, 1.4))
}

export function randomCode(shape: NetworkShape, seed: number): Float32Array {
  const random = randomStream(seed, 79)
  return Float32Array.from({ length: shape.code }, () => random.between(-1, 1))
}
