import { describe, expect, it } from 'vitest'
import { checkAddresses } from '../../../../src/math/wasm/address-check.js'
import { createBoneNetwork } from '../../../../src/net/bones/bone-network.js'
import { createSimdBoneNetwork } from '../../../../src/net/bones/wasm/simd-bone-network.js'
import { compareBonesWithScalar } from '../compare-bones.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from '../random-bones.js'

async function posedNetwork(seed: number, fixed: Parameters<typeof randomBoneShape>[1] = {}) {
  const shape = randomBoneShape(seed, fixed)
  const network = await createBoneNetwork(shape, randomBoneTensors(shape, seed), { backend: 'simd' })
  const { matrices, drivers } = randomBonePose(shape, seed)
  network.pose(matrices, drivers)
  return network
}

const createChecked: typeof createBoneNetwork = (shape, tensors) =>
  createSimdBoneNetwork(shape, tensors, { relaxed: false, threads: 1, checkAddresses })

describe('SimdBoneNetwork', () => {
  for (let seed = 1; seed <= 60; seed++) {
    it(`answers as the scalar network does (seed ${seed})`, () => compareBonesWithScalar(seed, { backend: 'simd' }))
  }

  for (let seed = 1; seed <= 10; seed++) {
    it(`stays within its arrays and still answers the same (seed ${seed})`, () =>
      compareBonesWithScalar(seed, { backend: 'simd' }, {}, createChecked, [1, 17, 64]))
  }

  it.each([8, 16, 17, 40])('takes %d coefficients of as many hidden units', (size) =>
    compareBonesWithScalar(size, { backend: 'simd' }, { boneCount: 12, coefficients: size, codeHidden: size }),
  )

  it('answers a point alone as in any batch, bit for bit', async () => {
    for (const seed of [3, 4, 5, 6]) {
      const network = await posedNetwork(seed)
      const count = 67
      const points = randomBonePoints(count, seed)
      const distances = new Float32Array(count)
      const gradients = new Float32Array(3 * count)
      network.query(points, count, distances, gradients)
      for (let i = 0; i < count; i++) {
        const distance = new Float32Array(1)
        const gradient = new Float32Array(3)
        network.query(points.subarray(3 * i), 1, distance, gradient)
        expect([distance[0], ...gradient]).toEqual([distances[i], ...gradients.subarray(3 * i, 3 * i + 3)])
      }
    }
  })

  it('keeps a NaN point to itself, and answers it with NaN', async () => {
    for (const seed of [11, 12, 13, 14]) {
      const network = await posedNetwork(seed)
      const points = randomBonePoints(40, seed)
      const answer = (): Float32Array[] => {
        const answers = [new Float32Array(40), new Float32Array(120)]
        network.query(points, 40, answers[0], answers[1])
        return answers
      }
      const [distances, gradients] = answer()
      const whole = points[3 * 7 + 1]
      points[3 * 7 + 1] = Number.NaN
      const [withNaN, gradientsWithNaN] = answer()
      expect(withNaN[7]).toBeNaN()
      withNaN[7] = distances[7]
      gradientsWithNaN.set(gradients.subarray(21, 24), 21)
      expect(withNaN).toEqual(distances)
      expect(gradientsWithNaN).toEqual(gradients)
      // Nothing of it stays behind in scratch.
      points[3 * 7 + 1] = whole
      expect(answer()).toEqual([distances, gradients])
    }
  })

  it('stays finite at a point 1e8 m away, where no bone is near', async () => {
    const network = await posedNetwork(5, { boneCount: 10, nearest: 3 })
    const distances = new Float64Array(1)
    network.query(Float64Array.of(1e8, -1e8, 1e8), 1, distances, new Float64Array(3))
    expect(distances[0]).toBeGreaterThan(1e7)
  })

  // Warps of one plane, of one and a half, of two; a few points have cells blended, then the whole grid.
  it.each([1, 3, 5])(
    'poses a bone when a point first asks it, and then again in every pose (%d features)',
    async (features) => {
      const shape = randomBoneShape(21, {
        boneCount: 31,
        nearest: 3,
        coefficients: 9,
        warp: { resolution: 4, features },
      })
      const tensors = randomBoneTensors(shape, 21)
      const [lazy, whole] = await Promise.all(
        [0, 1].map(() => createSimdBoneNetwork(shape, tensors, { relaxed: false, threads: 1 })),
      )
      const points = randomBonePoints(500, 21)
      const ask = (network: typeof lazy, first: number, count: number) => {
        const [distances, gradients] = [new Float32Array(count), new Float32Array(3 * count)]
        network.query(points.subarray(3 * first), count, distances, gradients)
        return { distances, gradients }
      }
      for (let round = 0; round < 5; round++) {
        const { matrices, drivers } = randomBonePose(shape, round)
        for (const network of [lazy, whole]) network.pose(matrices, drivers)
        // Points one by one, other ones in each pose: bones that nobody asked must not keep an old pose.
        const expected = ask(whole, 0, 500)
        for (let i = round; i < 500; i += 41) {
          const count = Math.min(1 + (i % 40), 500 - i)
          const { distances, gradients } = ask(lazy, i, count)
          expect(distances).toEqual(expected.distances.subarray(i, i + count))
          expect(gradients).toEqual(expected.gradients.subarray(3 * i, 3 * (i + count)))
        }
      }
    },
  )
})
