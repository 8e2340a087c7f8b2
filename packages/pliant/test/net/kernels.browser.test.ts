/** The same comparison as in Node, in Chromium: it has relaxed SIMD, and threads are web workers made from a blob. */
import { describe, expect, it } from 'vitest'
import type { NetworkShape } from '../../src/net/network-shape.js'
import { simdSupport } from '../../src/net/simd-support.js'
import { createSimdNetwork } from '../../src/net/wasm/simd-network.js'
import { compareWithScalar } from './compare-backends.js'
import { ACTIVATIONS, randomCode, randomPoints, randomTensors } from './random-network.js'

describe('kernels in the browser', () => {
  it('has relaxed SIMD and shared memory, without which the tests below would prove less', () => {
    expect(simdSupport()).toBe('relaxed')
    expect(globalThis.crossOriginIsolated).toBe(true)
  })

  for (const backend of ['simd', 'simd-relaxed'] as const) {
    for (let seed = 101; seed <= 115; seed++) {
      const activation = ACTIVATIONS[seed % ACTIVATIONS.length]
      it(`answers as the scalar network does (${backend}, ${activation}, seed ${seed})`, () =>
        compareWithScalar(seed, activation, { backend }))
    }
  }

  it.each([false, true])('answers the same on two threads, bit for bit (relaxed %s)', async (relaxed) => {
    const shape: NetworkShape = {
      code: 4,
      conditioning: { kind: 'input' },
      warp: null,
      grids: [{ resolution: [5, 6, 7], channels: 5, lower: [-1, -1, -1], upper: [1, 1, 1] }],
      hidden: [64, 64],
      activation: 'silu',
      output: 'linear',
    }
    const tensors = randomTensors(shape, 7)
    const one = await createSimdNetwork(shape, tensors, { relaxed, threads: 1 })
    const two = await createSimdNetwork(shape, tensors, { relaxed, threads: 2 })
    expect(two.threads).toBe(2)
    const count = 6000
    const points = randomPoints(count, 7)
    const [a, b] = [one, two].map((network) => {
      network.pose(randomCode(shape, 7))
      const values = new Float32Array(count)
      const gradients = new Float32Array(3 * count)
      for (let round = 0; round < 10; round++) network.query(points, count, values, gradients)
      return { values, gradients }
    })
    expect(b).toEqual(a)
    two.dispose()
  })
})
