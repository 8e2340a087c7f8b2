/** The same comparison as in Node, in Chromium: it has relaxed SIMD, and threads are web workers made from a blob. */
import { describe, expect, it } from 'vitest'
import type { DenseShape } from '../../../src/net/dense/dense-shape.js'
import { createSimdDenseNetwork } from '../../../src/net/dense/wasm/simd-dense-network.js'
import { askDense, compareDenseWithScalar, firstDifference } from './compare-dense.js'
import { randomDenseTensors, randomRows } from './random-dense.js'

describe('dense networks in the browser', () => {
  for (const backend of ['simd', 'simd-relaxed'] as const) {
    for (let seed = 101; seed <= 110; seed++) {
      it(`answer as plain code does (${backend}, seed ${seed})`, () => compareDenseWithScalar(seed, { backend }))
    }
  }

  it('answer the same on two threads, bit for bit', async () => {
    const shape: DenseShape = { inputs: 20, outputs: 9, hidden: [64, 64], activation: 'silu', output: 'tanh' }
    const tensors = randomDenseTensors(shape, 7)
    const [one, two] = await Promise.all(
      [1, 2].map((threads) => createSimdDenseNetwork(shape, tensors, { relaxed: true, threads })),
    )
    expect(two.threads).toBe(2)
    const inputs = randomRows(3000, 20, 7)
    for (let round = 0; round < 5; round++) {
      const [a, b] = [one, two].map((network) => askDense(network, inputs, 3000, null))
      expect(firstDifference(a.gradients, b.gradients)).toBe(-1)
    }
    two.dispose()
  })
})
