/** Kernels of posed gap networks answer what plain code answers, whatever the sizes, and touch nothing but their own memory. */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../../../src/math/random.js'
import { type AddressCheck, checkAddresses } from '../../../../src/math/wasm/address-check.js'
import type { PosedGapShape } from '../../../../src/net/gaps/posed-gap-shape.js'
import { ScalarPairs } from '../../../../src/net/gaps/scalar-pairs.js'
import { createSimdPairs } from '../../../../src/net/gaps/wasm/simd-pairs.js'
import { randomPairs, randomSpaces } from '../random-pairs.js'

const rest = { codeSize: 3, far: 7, perMetre: 5, softness: 0.4 }
const SHAPES: PosedGapShape[] = [
  { ...rest, frames: 2, pairs: 1, places: 1, seen: 1, hidden: [], activation: 'silu' },
  { ...rest, frames: 3, pairs: 5, places: 3, seen: 2, hidden: [7], activation: 'relu' },
  { ...rest, frames: 6, pairs: 9, places: 8, seen: 4, hidden: [24, 24], activation: 'silu' },
  { ...rest, frames: 5, pairs: 4, places: 9, seen: 9, hidden: [20, 33], activation: 'tanh' },
]

async function compare(shape: PosedGapShape, seed: number, check?: AddressCheck) {
  const tensors = randomPairs(shape, seed)
  const plain = new ScalarPairs(shape, tensors)
  const simd = await createSimdPairs(shape, tensors, { relaxed: false, threads: 1, checkAddresses: check })
  const random = randomStream(seed + 1)
  const out = new Float64Array(shape.pairs)
  let far = 0
  for (let trial = 0; trial < 20; trial++) {
    const spaces = randomSpaces(shape.frames, random)
    simd.write(spaces, out)
    for (let pair = 0; pair < shape.pairs; pair++) {
      const isNear = plain.isNear(spaces, pair)
      if (!isNear) far++
      const due = isNear ? plain.value(spaces, pair) : shape.far
      expect(Math.abs(out[pair] - due), `pair ${pair}, trial ${trial}`).toBeLessThan(2e-5 * (1 + Math.abs(due)))
    }
  }
  // Some are looked at and some are not.
  expect(far).toBeGreaterThan(0)
  expect(far).toBeLessThan(20 * shape.pairs)
}

describe.each(SHAPES.map((shape, i) => [JSON.stringify(shape), shape, 60 + i] as const))('%s', (_, shape, seed) => {
  test(`as plain code does, seed ${seed}`, () => compare(shape, seed))
  test(`within its memory, seed ${seed}`, () => compare(shape, seed, checkAddresses))
})
