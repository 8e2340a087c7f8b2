import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { checkAddresses } from '../../../src/math/wasm/address-check.js'
import { createNetwork } from '../../../src/net/create-network.js'
import type { NetworkShape } from '../../../src/net/network-shape.js'
import { createSimdNetwork } from '../../../src/net/wasm/simd-network.js'
import { compareWithScalar, largestDifference } from '../compare-backends.js'
import { ACTIVATIONS, randomCode, randomPoints, randomShape, randomTensors } from '../random-network.js'

const wide: NetworkShape = {
  code: 6,
  conditioning: { kind: 'input' },
  warp: null,
  grids: [],
  hidden: [128, 128, 128],
  activation: 'relu',
  output: 'tanh',
}

const createChecked: typeof createNetwork = (shape, tensors) =>
  createSimdNetwork(shape, tensors, { relaxed: false, threads: 1, checkAddresses })

describe('SimdNetwork', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const activation = ACTIVATIONS[seed % ACTIVATIONS.length]
    it(`answers as the scalar network does (${activation}, seed ${seed})`, () =>
      compareWithScalar(seed, activation, { backend: 'simd' }))
  }

  for (let seed = 1; seed <= 10; seed++) {
    const activation = ACTIVATIONS[seed % ACTIVATIONS.length]
    it(`stays within its arrays and still answers the same (${activation}, seed ${seed})`, () =>
      compareWithScalar(seed, activation, { backend: 'simd' }, createChecked, [1, 2, 33, 64]))
  }

  it('takes a warp that no coefficient blends', async () => {
    const shape: NetworkShape = {
      ...wide,
      conditioning: { kind: 'blend', coefficients: 0, hidden: 0, layers: 0 },
      warp: { resolution: [3, 4, 5], channels: 6, lower: [-1, -1, -1], upper: [1, 1, 1] },
      hidden: [20],
    }
    const [expected, actual] = await Promise.all(
      (['scalar', 'simd'] as const).map(async (backend) => {
        const network = await createNetwork(shape, randomTensors(shape, 9), { backend })
        network.pose(randomCode(shape, 9))
        const values = new Float64Array(50)
        network.query(randomPoints(50, 9), 50, values)
        return values
      }),
    )
    expect(largestDifference(actual, expected)).toBeLessThan(1e-5)
  })

  it.each(ACTIVATIONS)('follows %s far from zero', async (activation) => {
    // One hidden unit that sees x alone, scaled up to +-100.
    const shape: NetworkShape = { ...wide, code: 0, hidden: [1], activation, output: 'linear' }
    const tensors = new Map([
      ['dense.0.weight', Float32Array.of(100, 0, 0)],
      ['dense.0.bias', Float32Array.of(0)],
      ['dense.1.weight', Float32Array.of(1)],
      ['dense.1.bias', Float32Array.of(0)],
    ])
    const count = 4001
    const points = new Float32Array(3 * count)
    for (let i = 0; i < count; i++) points[3 * i] = (i - 2000) / 2000
    const networks = [
      await createNetwork(shape, tensors, { backend: 'scalar' }),
      await createNetwork(shape, tensors, { backend: 'simd' }),
    ]
    const [expected, actual] = networks.map((network) => {
      const values = new Float64Array(count)
      const gradients = new Float64Array(3 * count)
      network.query(points, count, values, gradients)
      return { values, gradients }
    })
    for (let i = 0; i < count; i++) {
      const scale = Math.max(1, Math.abs(expected.values[i]))
      expect(Math.abs(actual.values[i] - expected.values[i]) / scale).toBeLessThan(4e-7)
      // The unit's slope is the gradient over 100.
      expect(Math.abs(actual.gradients[3 * i] - expected.gradients[3 * i]) / 100).toBeLessThan(1e-6)
    }
  })

  it('answers a point alone as in any batch, bit for bit', async () => {
    for (const seed of [3, 4, 5, 6]) {
      const shape = randomShape(randomStream(seed))
      const network = await createNetwork(shape, randomTensors(shape, seed), { backend: 'simd' })
      network.pose(randomCode(shape, seed))
      const count = 67
      const points = randomPoints(count, seed)
      const values = new Float32Array(count)
      const gradients = new Float32Array(3 * count)
      network.query(points, count, values, gradients)
      for (let i = 0; i < count; i++) {
        const value = new Float32Array(1)
        const gradient = new Float32Array(3)
        network.query(points.subarray(3 * i), 1, value, gradient)
        expect([value[0], ...gradient]).toEqual([values[i], ...gradients.subarray(3 * i, 3 * i + 3)])
      }
    }
  })

  it('keeps a NaN point to itself', async () => {
    for (const seed of [11, 12, 13, 14, 15, 16]) {
      const shape = randomShape(randomStream(seed))
      const network = await createNetwork(shape, randomTensors(shape, seed), { backend: 'simd' })
      network.pose(randomCode(shape, seed))
      const points = randomPoints(40, seed)
      const answer = (): Float32Array[] => {
        const answers = [new Float32Array(40), new Float32Array(120)]
        network.query(points, 40, answers[0], answers[1])
        return answers
      }
      const [values, gradients] = answer()
      points[3 * 7 + 1] = Number.NaN
      const [withNaN, gradientsWithNaN] = answer()
      expect(withNaN[7]).toBeNaN()
      withNaN[7] = values[7]
      gradientsWithNaN.set(gradients.subarray(21, 24), 21)
      expect(withNaN).toEqual(values)
      expect(gradientsWithNaN).toEqual(gradients)
    }
  })
})
