/** The same comparison as in Node, in Chromium: it has relaxed SIMD, and threads are web workers made from a blob. */
import { describe, expect, it } from 'vitest'
import { createSimdBoneNetwork } from '../../../src/net/bones/wasm/simd-bone-network.js'
import { compareBonesWithScalar } from './compare-bones.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from './random-bones.js'

describe('bone kernels in the browser', () => {
  for (const backend of ['simd', 'simd-relaxed'] as const) {
    for (let seed = 101; seed <= 110; seed++) {
      it(`answers as the scalar network does (${backend}, seed ${seed})`, () =>
        compareBonesWithScalar(seed, { backend }))
    }
  }

  it('answers the same on two threads, bit for bit', async () => {
    const shape = randomBoneShape(7, { boneCount: 31, nearest: 3 })
    const tensors = randomBoneTensors(shape, 7)
    const one = await createSimdBoneNetwork(shape, tensors, { relaxed: true, threads: 1 })
    const two = await createSimdBoneNetwork(shape, tensors, { relaxed: true, threads: 2 })
    expect(two.threads).toBe(2)
    const { matrices, drivers } = randomBonePose(shape, 7)
    const count = 6000
    const points = randomBonePoints(count, 7)
    const [a, b] = [one, two].map((network) => {
      network.pose(matrices, drivers)
      const [distances, gradients] = [new Float32Array(count), new Float32Array(3 * count)]
      for (let round = 0; round < 10; round++) network.query(points, count, distances, gradients)
      return { distances, gradients }
    })
    expect(b).toEqual(a)
    two.dispose()
  })
})
