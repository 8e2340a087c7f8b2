import { describe, expect, it } from 'vitest'
import { checkAddresses } from '../../../../src/math/wasm/address-check.js'
import { createDenseNetwork } from '../../../../src/net/dense/dense-network.js'
import type { DenseShape } from '../../../../src/net/dense/dense-shape.js'
import { createSimdDenseNetwork } from '../../../../src/net/dense/wasm/simd-dense-network.js'
import { askDense, compareDenseWithScalar, firstDifference } from '../compare-dense.js'
import { randomDenseShape, randomDenseTensors, randomRows } from '../random-dense.js'

const createChecked: typeof createDenseNetwork = (shape, tensors) =>
  createSimdDenseNetwork(shape, tensors, { relaxed: false, threads: 1, checkAddresses })

describe('SimdDenseNetwork', () => {
  for (let seed = 1; seed <= 40; seed++) {
    it(`answers as the scalar network does (seed ${seed})`, () => compareDenseWithScalar(seed, { backend: 'simd' }))
  }

  for (let seed = 1; seed <= 10; seed++) {
    it(`stays within its arrays and still answers the same (seed ${seed})`, () =>
      compareDenseWithScalar(seed, { backend: 'simd' }, {}, createChecked, [1, 2, 33]))
  }

  it('decodes 60 numbers into thousands, more rows than its staging buffers hold (seed 41)', () => {
    const decoder = { inputs: 60, outputs: 4500, hidden: [64], activation: 'elu', output: 'linear' } as const
    return compareDenseWithScalar(41, { backend: 'simd' }, { ...decoder, hidden: [64] }, undefined, [1, 70])
  })

  it('gives the gradient of a distance by its code where there is one output (seed 42)', async () => {
    const shape = randomDenseShape(42, { inputs: 12, outputs: 1, hidden: [64, 64], activation: 'softplus' })
    const network = await createDenseNetwork(shape, randomDenseTensors(shape, 42), { backend: 'simd' })
    const codes = randomRows(9, 12, 42)
    expect(askDense(network, codes, 9, null)).toEqual(askDense(network, codes, 9, new Float32Array(9).fill(1)))
  })

  it('answers a row alone as in any batch, bit for bit', async () => {
    for (const seed of [3, 4, 5, 6]) {
      const shape = randomDenseShape(seed)
      const network = await createDenseNetwork(shape, randomDenseTensors(shape, seed), { backend: 'simd' })
      const { inputs: n, outputs: m } = shape
      const [inputs, cotangents] = [randomRows(67, n, seed), randomRows(67, m, seed + 1)]
      const all = askDense(network, inputs, 67, cotangents)
      for (let i = 0; i < 67; i++) {
        const alone = askDense(network, inputs.subarray(i * n), 1, cotangents.subarray(i * m))
        expect(alone.values).toEqual(all.values.slice(i * m, (i + 1) * m))
        expect(alone.gradients).toEqual(all.gradients.slice(i * n, (i + 1) * n))
      }
    }
  })

  it('keeps a row of NaN to itself, and leaves nothing of it behind', async () => {
    for (const seed of [11, 12, 13, 14]) {
      const shape = randomDenseShape(seed, { activation: 'silu' })
      const network = await createDenseNetwork(shape, randomDenseTensors(shape, seed), { backend: 'simd' })
      const { inputs: n, outputs: m } = shape
      const [inputs, cotangents] = [randomRows(40, n, seed), randomRows(40, m, seed)]
      const before = askDense(network, inputs, 40, cotangents)
      const broken = inputs.slice()
      broken[7 * n] = Number.NaN
      const during = askDense(network, broken, 40, cotangents)
      expect(during.values[7 * m]).toBeNaN()
      during.values.set(before.values.subarray(7 * m, 8 * m), 7 * m)
      during.gradients.set(before.gradients.subarray(7 * n, 8 * n), 7 * n)
      expect(during).toEqual(before)
      expect(askDense(network, inputs, 40, cotangents)).toEqual(before)
    }
  })

  it('answers the same on two threads, bit for bit, also once disposed of', async () => {
    const shape: DenseShape = { inputs: 20, outputs: 30, hidden: [96, 96], activation: 'tanh', output: 'softplus' }
    const tensors = randomDenseTensors(shape, 7)
    const [one, two] = await Promise.all(
      [1, 2].map((threads) => createSimdDenseNetwork(shape, tensors, { relaxed: false, threads })),
    )
    expect([one.threads, two.threads]).toEqual([1, 2])
    for (let round = 0; round < 10; round++) {
      const [inputs, cotangents] = [randomRows(3000, 20, round), randomRows(3000, 30, round + 50)]
      const [a, b] = [one, two].map((network) => askDense(network, inputs, 3000, cotangents))
      expect(firstDifference(a.values, b.values)).toBe(-1)
      expect(firstDifference(a.gradients, b.gradients)).toBe(-1)
    }
    two.dispose()
    expect(two.threads).toBe(1)
    const inputs = randomRows(50, 20, 99)
    expect(askDense(two, inputs, 50, null)).toEqual(askDense(one, inputs, 50, null))
  })
})
