/** Every backend against the scalar reference over random networks; shared by the Node and the browser tests. */
import { expect } from 'vitest'
import { randomStream } from '../../src/math/random.js'
import { createNetwork, type NetworkOptions } from '../../src/net/create-network.js'
import type { Activation, NetworkShape } from '../../src/net/network-shape.js'
import { randomCode, randomPoints, randomShape, randomTensors } from './random-network.js'

export const COUNTS = [0, 1, 2, 3, 15, 16, 17, 33, 1000]

/** Backends agree to this, relative to 1 + the size of the value. */
const TOLERANCE = 1e-5

/**
 * Asks two networks of one random shape the same questions and compares values and gradients.
 * @param make    makes the one that is compared
 * @param counts  of points to ask
 */
export async function compareWithScalar(
  seed: number,
  activation: Activation,
  options: NetworkOptions,
  make: typeof createNetwork = createNetwork,
  counts = COUNTS,
): Promise<void> {
  const shape: NetworkShape = { ...randomShape(randomStream(seed)), activation }
  const tensors = randomTensors(shape, seed)
  const reference = await createNetwork(shape, tensors, { backend: 'scalar' })
  const network = await make(shape, tensors, options)
  expect(network.backend).toBe(options.backend)
  // Two poses: the second must leave nothing of the first behind.
  for (const pose of [1, 2]) {
    const code = randomCode(shape, seed + 1000 * pose)
    reference.pose(code)
    network.pose(code)
    for (const count of counts) {
      const points = randomPoints(count, seed + count)
      const expected = { values: new Float64Array(count), gradients: new Float64Array(3 * count) }
      const actual = { values: new Float64Array(count), gradients: new Float64Array(3 * count) }
      const alone = new Float32Array(count)
      reference.query(points, count, expected.values, expected.gradients)
      network.query(points, count, alone)
      network.query(points, count, actual.values, actual.gradients)
      const what = `${count} points, pose ${pose}, ${JSON.stringify(shape)}`
      expect(largestDifference(alone, expected.values), `without gradients: ${what}`).toBeLessThan(TOLERANCE)
      expect(largestDifference(actual.values, expected.values), `values: ${what}`).toBeLessThan(TOLERANCE)
      // At a kink (relu, face of a grid cell) the last bit decides between two right gradients.
      const kinks = gradientDifferences(actual.gradients, expected.gradients).filter((d) => !(d < TOLERANCE))
      expect(kinks.length, `gradients: ${what}, ${kinks}`).toBeLessThanOrEqual(Math.floor(count / 500))
    }
  }
  network.dispose()
}

export function largestDifference(actual: ArrayLike<number>, expected: Float64Array): number {
  return Math.max(0, ...Array.from(expected, (value, i) => Math.abs(actual[i] - value) / (1 + Math.abs(value))))
}

/** Per point: the length of the difference, relative to 1 + the length of the gradient. */
function gradientDifferences(actual: Float64Array, expected: Float64Array): number[] {
  return Array.from({ length: expected.length / 3 }, (_, i) => {
    const difference = [0, 1, 2].map((axis) => actual[3 * i + axis] - expected[3 * i + axis])
    return Math.hypot(...difference) / (1 + Math.hypot(...expected.subarray(3 * i, 3 * i + 3)))
  })
}
