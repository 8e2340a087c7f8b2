/** Parts on kernels follow a body as those in plain code do, to the last bit, and touch nothing but their own memory. */
import { describe, expect, it, test } from 'vitest'
import { randomStream } from '../../../../src/math/random.js'
import { checkAddresses } from '../../../../src/math/wasm/address-check.js'
import type { BoneFrame } from '../../../../src/net/bones/bone-shape.js'
import { PartFrames, type PosedParts } from '../../../../src/net/bones/part-frames.js'
import { MAX_NEIGHBOURS, type PartsBody } from '../../../../src/net/bones/parts-at-rest.js'
import { createSimdPartFrames } from '../../../../src/net/bones/wasm/simd-part-frames.js'

const NODES = 37

/** Parts of random nodes, the first of them of none at all; as many neighbours as there are others, up to the most. */
async function randomParts(count: number, seed: number, check?: typeof checkAddresses) {
  const random = randomStream(seed)
  const body: PartsBody = {
    rest: Float64Array.from({ length: 3 * NODES }, () => random.normal()),
    masses: Float64Array.from({ length: NODES }, () => random.between(0.5, 1)),
    modes: Float64Array.from({ length: 6 * NODES }, () => random.normal()),
    codeSize: 2,
  }
  const bones = Array.from({ length: count }, (_, part) => ({
    drivers: Array.from({ length: Math.min(count - 1, part % (MAX_NEIGHBOURS + 1)) }, (_, n) => (part + n + 1) % count),
  })) as BoneFrame[]
  const weights = Float32Array.from({ length: count * NODES }, (_, i) =>
    (i < NODES && count > 1) || random.uniform() < 0.5 ? 0 : random.uniform(),
  )
  const axes = Float32Array.from({ length: 9 * count }, () => random.normal())
  const plain = new PartFrames({ bones }, { weights, axes }, body)
  return { body, random, plain, simd: await createSimdPartFrames(plain.atRest, NODES, check) }
}

/** Zeros of either sign are one: a neighbour that is not there leaves any. */
function told({ matrices, drivers, nodes }: PosedParts): number[] {
  return [...matrices, ...drivers, ...nodes].map((value) => value + 0)
}

describe('SimdPartFrames', () => {
  for (const count of [1, 2, 3, 8, 9]) {
    it(`equals plain code with ${count} parts`, async () => {
      const { body, random, plain, simd } = await randomParts(count, count)
      for (let round = 0; round < 30; round++) {
        const origin = [random.normal(), random.normal(), random.normal()] as const
        // Far more than a body bends: some parts are turned inside out. In single precision every other time.
        const spread = round % 3
        const moved = body.rest.map((place) => 5 + place + spread * random.normal())
        const nodes = round % 2 ? Float32Array.from(moved) : moved
        for (const parts of [plain, simd]) parts.follow(nodes, origin)
        expect(told(simd)).toEqual(told(plain))
        const code = [random.normal(), random.normal()]
        for (const parts of [plain, simd]) parts.pose(code)
        expect(told(simd)).toEqual(told(plain))
      }
    })
  }

  it.each([
    ['mirrored', [-1, 1, 1]],
    ['flat', [1, 1, 0]],
    ['in a line', [0, 2, 0]],
    ['in a point', [0, 0, 0]],
    ['tiny', [1e-9, 1e-9, 1e-9]],
    ['huge', [1e9, 1e9, 1e9]],
  ])('equals plain code where nodes are %s', async (_, scale) => {
    const { body, plain, simd } = await randomParts(5, 3)
    const nodes = body.rest.map((place, i) => scale[i % 3] * place)
    for (const parts of [plain, simd]) parts.follow(nodes, [0, 0, 0])
    expect(told(simd)).toEqual(told(plain))
  })

  test.each([0, 1, 36])('keeps what it followed when node %d of new ones is not finite', async (node) => {
    const { body, plain, simd } = await randomParts(4, 5)
    for (const parts of [plain, simd]) parts.follow(body.rest, [0, 0, 0])
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      const nodes = body.rest.map((place) => 2 * place)
      nodes[3 * node + 2] = value
      for (const parts of [plain, simd]) {
        expect(() => parts.follow(nodes, [1, 1, 1])).toThrow(`update: node ${node} is ${value}; pass finite numbers.`)
      }
      expect(told(simd)).toEqual(told(plain))
    }
  })

  it.each([1, 2, 7])('stays within its arrays with %d parts', async (count) => {
    const { body, plain, simd } = await randomParts(count, 11, checkAddresses)
    for (const parts of [plain, simd]) parts.follow(body.rest, [0, 1, 0])
    expect(told(simd)).toEqual(told(plain))
  })
})
