import { describe, expect, it } from 'vitest'
import { randomStream } from '../../src/math/random.js'
import { createNetwork } from '../../src/net/create-network.js'
import type { NetworkShape } from '../../src/net/network-shape.js'
import { randomCode, randomShape, randomTensors } from './random-network.js'

const shape: NetworkShape = {
  code: 2,
  conditioning: { kind: 'input' },
  warp: null,
  grids: [{ resolution: [3, 4, 5], channels: 2, lower: [-1, -1, -1], upper: [1, 1, 1] }],
  hidden: [8],
  activation: 'relu',
  output: 'tanh',
}
const oneLine = (error: unknown): string => {
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return message
}

describe('createNetwork', () => {
  it('names the tensor that is missing', async () => {
    const tensors = randomTensors(shape, 1)
    tensors.delete('grid.0')
    const message = await createNetwork(shape, tensors).catch(oneLine)
    expect(message).toBe("network: tensor 'grid.0' is missing; it needs 120 values.")
  })

  it('names the tensor whose length does not fit', async () => {
    const tensors = randomTensors(shape, 1).set('dense.1.weight', new Float32Array(7))
    const message = await createNetwork(shape, tensors).catch(oneLine)
    expect(message).toBe("network: tensor 'dense.1.weight' has 7 values; its shape [8, 1] needs 8.")
  })

  it.each([
    [{ warp: { ...shape.grids[0], channels: 3 } }, /needs 'blend'/],
    [
      { grids: [{ ...shape.grids[0], resolution: [3, 1, 5] as const }] },
      /grid nodes of size 1; it needs a whole number from 2/,
    ],
    [{ grids: [{ ...shape.grids[0], upper: [-1, 1, 1] as const }] }, /from -1 to -1 along x/],
    [{ hidden: [8, 0] }, /hidden layer 1 of size 0/],
    [{ hidden: [2.5] }, /hidden layer 0 of size 2.5/],
    [{ code: Number.NaN }, /code of size NaN/],
    [{ conditioning: { kind: 'blend', coefficients: 2, hidden: 0, layers: 3 } as const }, /lower 'layers'/],
  ])('refuses a shape that contradicts itself: %o', async (change, message) => {
    const wrong: NetworkShape = { ...shape, ...change }
    await expect(createNetwork(wrong, new Map())).rejects.toThrow(message)
  })

  it.each(['scalar', 'auto'] as const)(
    'refuses queries that would read or write past an array (%s)',
    async (backend) => {
      const network = await createNetwork(shape, randomTensors(shape, 1), { backend })
      const points = new Float32Array(6)
      expect(() => network.query(points, 2, new Float32Array(2))).toThrow(/call pose/)
      expect(() => network.pose([1])).toThrow('pose: code has 1 values; this network needs 2.')
      network.pose([0, 0])
      expect(() => network.query(points, 3, new Float32Array(3))).toThrow(/3 points asked, the array holds 2/)
      expect(() => network.query(points, 2, new Float32Array(1))).toThrow(/room for 1 values/)
      expect(() => network.query(points, 2, new Float32Array(2), new Float32Array(5))).toThrow(/room for 5 gradient/)
      network.dispose()
    },
  )

  it('needs no pose for an object without a code', async () => {
    const still = { ...randomShape(randomStream(3)), code: 0 }
    const network = await createNetwork(still, randomTensors(still, 3))
    const before = new Float64Array(1)
    const after = new Float64Array(1)
    network.query(Float32Array.of(0.1, 0.2, 0.3), 1, before)
    network.pose(randomCode(still, 3))
    network.query(Float32Array.of(0.1, 0.2, 0.3), 1, after)
    expect(before[0]).toBe(after[0])
    expect(before[0]).not.toBe(0)
    network.dispose()
  })
})
