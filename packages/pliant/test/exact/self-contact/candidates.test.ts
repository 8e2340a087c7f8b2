import { describe, expect, test } from 'vitest'
import { planCandidates } from '../../../src/exact/self-contact/candidate-plan.js'
import type { CandidateSearch } from '../../../src/exact/self-contact/candidate-search.js'
import type { LinearShape } from '../../../src/exact/self-contact/linear-shape.js'
import { ScalarCandidates } from '../../../src/exact/self-contact/scalar-candidates.js'
import { SimdCandidates } from '../../../src/exact/self-contact/wasm/simd-candidates.js'
import { SelfIntersection } from '../../../src/exact/self-intersection.js'
import { randomStream } from '../../../src/math/random.js'
import { checkAddresses } from '../../../src/math/wasm/address-check.js'
import { bendingRing } from './ring.js'

/** Candidates of each lane, in the order in which they come. */
function candidatesOf(search: CandidateSearch, codes: Float64Array, alive: number): number[][] {
  const lists: number[][] = Array.from({ length: search.lanes }, () => [])
  search.begin(codes)
  for (let count = search.next(alive); count > 0; count = search.next(alive)) {
    for (let i = 0; i < 3 * count; i += 3) {
      for (const [lane, list] of lists.entries()) {
        if ((search.found[i + 2] >> lane) & 1) list.push(search.found[i], search.found[i + 1])
      }
    }
  }
  return lists
}

const drawn = (count: number, size: number, seed: number): Float64Array => {
  const random = randomStream(seed)
  return Float64Array.from({ length: count * size }, () => random.between(-1, 1))
}

function compareSearches(shape: LinearShape, simd: CandidateSearch, scalar: CandidateSearch, rounds: number): number {
  const size = shape.bounds.lower.length
  const codes = drawn(4 * rounds, size, 31)
  let candidates = 0
  for (let round = 0; round < rounds; round++) {
    const four = codes.subarray(4 * round * size, 4 * (round + 1) * size)
    const lists = candidatesOf(simd, four, 15)
    for (const [lane, list] of lists.entries()) {
      expect(list).toEqual(candidatesOf(scalar, four.subarray(lane * size, (lane + 1) * size), 1)[0])
      candidates += list.length / 2
    }
  }
  return candidates
}

describe('candidates for contact', () => {
  test.each([1, 3, 6])('are the same ones by kernels and in plain code, %i modes, seed 31', (codeSize) => {
    const shape = bendingRing(codeSize)
    const plan = planCandidates(shape)
    // Else there would be nothing to compare.
    expect(compareSearches(shape, new SimdCandidates(plan), new ScalarCandidates(plan), 40)).toBeGreaterThan(50)
  })

  test('are the same ones where slack is so large that it decides, seed 31', () => {
    const shape = bendingRing(3)
    for (const [slabSlack, gapSlack] of [
      [0.02, 0],
      [0, 0.02],
    ]) {
      const plan = { ...planCandidates(shape), slabSlack, gapSlack }
      expect(compareSearches(shape, new SimdCandidates(plan), new ScalarCandidates(plan), 5)).toBeGreaterThan(50)
    }
  })

  test('kernels stay within their arrays', () => {
    const shape = bendingRing(3)
    const plan = planCandidates(shape)
    const candidates = compareSearches(shape, new SimdCandidates(plan, checkAddresses), new ScalarCandidates(plan), 2)
    expect(candidates).toBeGreaterThan(0)
  })

  test.each([
    ['as it is', 1, 0],
    ['of micrometres, far from the origin', 1e-6, 0.3],
    ['of the size of the Earth', 1e7, 0],
    ['at a million times its size', 1, 1e6],
    ['so far away that doubles round more than single precision', 1, 1e11],
  ])('hold all pairs that meet: a ring %s, seed 32', (_, scale, offset) => {
    const ring = bendingRing(3)
    const rest = ring.rest.map((value) => scale * value + offset)
    const shape = { ...ring, rest, modes: ring.modes.map((value) => scale * value) }
    const search = new ScalarCandidates(planCandidates(shape))
    const positions = new Float64Array(rest.length)
    const whole = new SelfIntersection({ positions: rest, triangles: shape.triangles })
    const codes = drawn(60, 3, 32)
    let meeting = 0
    for (let i = 0; i < codes.length; i += 3) {
      positions.set(rest)
      for (let k = 0; k < 3; k++) {
        for (let j = 0; j < rest.length; j++) positions[j] += codes[i + k] * shape.modes[k * rest.length + j]
      }
      whole.update(positions)
      const list = candidatesOf(search, codes.subarray(i, i + 3), 1)[0]
      const keyOf = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`
      const keys = new Set(Array.from({ length: list.length / 2 }, (_, k) => keyOf(list[2 * k], list[2 * k + 1])))
      const { pairs } = whole.pairs()
      for (let k = 0; k < pairs.length; k += 2) expect(keys).toContain(keyOf(pairs[k], pairs[k + 1]))
      meeting += pairs.length / 2
    }
    expect(meeting).toBeGreaterThan(50)
  })

  test('are few where nothing meets', () => {
    const shape = bendingRing(3)
    const list = candidatesOf(new ScalarCandidates(planCandidates(shape)), new Float64Array(3), 1)[0]
    // Of 3,744 pairs that may meet somewhere in the box, those that only a plane along two sides would tell apart.
    expect(list.length / 2).toBeLessThan(10)
  })

  test('come for the lanes that are asked for, and for none once no lane is', () => {
    const shape = bendingRing(3)
    const search = new SimdCandidates(planCandidates(shape))
    const codes = drawn(4, 3, 33)
    const all = candidatesOf(search, codes, 15)
    expect(candidatesOf(search, codes, 4)).toEqual([[], [], all[2], []])
    search.begin(codes)
    expect(search.next(0)).toBe(0)
  })
})
