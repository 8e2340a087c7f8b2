import { describe, expect, it } from 'vitest'
import { createBoneNetwork } from '../../../src/net/bones/bone-network.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from './random-bones.js'

describe('createBoneNetwork', () => {
  const shape = randomBoneShape(1, { boneCount: 4, nearest: 2 })
  const tensors = randomBoneTensors(shape, 1)

  it('names a tensor that is missing or too short', async () => {
    const without = new Map(tensors)
    without.delete('code.output')
    await expect(createBoneNetwork(shape, without)).rejects.toThrow("tensor 'code.output' is missing")
    const short = new Map(tensors).set('head.1.bias', new Float32Array(1))
    await expect(createBoneNetwork(shape, short)).rejects.toThrow("tensor 'head.1.bias' has 1 values; its shape [2]")
  })

  it('refuses shapes that no backend can run', async () => {
    const refused: [object, string][] = [
      [{ bones: [] }, 'bones is 0'],
      [{ nearest: 0 }, 'nearest is 0'],
      [{ nearest: 9 }, 'nearest is 9'],
      [{ hidden: 2.5 }, 'hidden is 2.5'],
      [{ warp: { resolution: 1, features: 0 } }, 'warp.resolution is 1'],
      [{ fade: 0 }, 'fade is 0'],
      [{ scale: Number.NaN }, 'scale is NaN'],
      [{ bones: [{ ...shape.bones[0], half: [1, 0, 1] }] }, '1 x 0 x 1'],
      [{ bones: [{ ...shape.bones[0], joint: -1 }] }, 'joint -1'],
    ]
    for (const [change, message] of refused) {
      await expect(createBoneNetwork({ ...shape, ...change }, tensors)).rejects.toThrow(message)
    }
  })

  it('refuses poses and queries whose arrays are too short', async () => {
    const network = await createBoneNetwork(shape, tensors)
    const { matrices, drivers } = randomBonePose(shape, 1)
    expect(() => network.query(new Float32Array(3), 1, new Float32Array(1))).toThrow('no pose yet')
    expect(() => network.pose(matrices.subarray(0, 64), drivers)).toThrow('64 matrix values; the bones need 80')
    expect(() => network.pose(matrices, drivers.subarray(1))).toThrow('95 driver values; 4 bones need 96')
    network.pose(matrices, drivers)
    expect(() => network.query(new Float32Array(3), 2, new Float32Array(2))).toThrow('2 points asked')
  })

  it('lets every bone answer where there are fewer than nearest', async () => {
    const answers = await Promise.all(
      [4, 5, 8].map(async (nearest) => {
        const network = await createBoneNetwork({ ...shape, nearest }, tensors)
        const { matrices, drivers } = randomBonePose(shape, 1)
        network.pose(matrices, drivers)
        const [distances, gradients] = [new Float64Array(200), new Float64Array(600)]
        network.query(randomBonePoints(200, 1), 200, distances, gradients)
        return { distances, gradients }
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(answers[0].distances.every(Number.isFinite)).toBe(true)
  })

  it('answers the same again after another pose', async () => {
    const network = await createBoneNetwork(shape, tensors)
    const ask = (seed: number) => {
      const { matrices, drivers } = randomBonePose(shape, seed)
      network.pose(matrices, drivers)
      const [distances, gradients] = [new Float64Array(300), new Float64Array(900)]
      network.query(randomBonePoints(300, 1), 300, distances, gradients)
      return { distances, gradients }
    }
    const first = ask(1)
    expect(ask(2)).not.toEqual(first)
    expect(ask(1)).toEqual(first)
  })
})
