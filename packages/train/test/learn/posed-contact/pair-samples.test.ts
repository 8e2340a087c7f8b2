/** What pairs learn from: codes of their own, with places where the frames have them. */
import { randomStream } from 'pliant'
import type { PosedGapShape } from 'pliant/unstable'
import { expect, test } from 'vitest'
import type { FramedShape } from '../../../src/learn/posed-contact/framed-shape.js'
import { PairSamples } from '../../../src/learn/posed-contact/pair-samples.js'

/** The second frame is so far along x, and turned about z by a right angle; the first stands still. */
const spaces = new Float64Array(32)
for (const at of [0, 5, 10, 15]) spaces[at] = 1
for (const [at, value] of Object.entries({ 17: 1, 20: -1, 26: 1, 31: 1 })) spaces[Number(at)] = value
const framed = {
  codeSize: 1,
  frames: () => ({
    spaces,
    moveThrough(codes: ArrayLike<number>, count: number, visit: (row: number) => void) {
      for (let row = 0; row < count; row++) {
        spaces[16 + 12] = codes[row]
        visit(row)
      }
    },
  }),
} as unknown as FramedShape
const shape = { codeSize: 1, pairs: 3, places: 1, seen: 1 } as PosedGapShape
const ends = [0, 1, 2].flatMap(() => [0, 0.5, 0, 0, 1, 0, 0.25, 0])
const weights = new Map([
  ['pair.places', Float32Array.from(ends)],
  ['pair.middles', Float32Array.from([0, 1, 2].flatMap(() => [0, 0, 0, 0, 1, 0, 0, 0]))],
])
/** The first pair is near in the first two codes, the second nowhere, the third in the second code. */
const rows = {
  codes: Float32Array.of(2, 3, 3.5, 5),
  clearances: Float32Array.of(0.2, 1, 1, 0.9, 1, -0.5, 1, 1, 1, 1, 1, 1),
}
const samples = new PairSamples(framed, shape, weights, rows)

test('pairs are looked at as far as they were near, and a fifth further; those that never were, always', () => {
  const [first, never, third] = samples.far
  expect(first).toBeCloseTo((1.2 * 3) ** 2, 4)
  expect(never).toBeGreaterThan(1e20)
  expect(third).toBeCloseTo((1.2 * 3) ** 2, 4)
})

test('a batch has of each pair three near codes to one that is not, but looked at (seed 7)', () => {
  const batch = 40
  const { clearances, places } = samples.draw(batch, randomStream(7))
  // x of the second place of a pair: its frame is a code along, and has turned its y to -x.
  const codeOf = (i: number, pair: number): number => places[2 * (3 * i + pair) + 1] + 0.25
  const of = (pair: number): number[] => Array.from({ length: batch }, (_, i) => codeOf(i, pair))
  expect(of(0).filter((code) => code === 2 || code === 3)).toHaveLength(30)
  expect(of(0).filter((code) => code === 3.5)).toHaveLength(10)
  expect(new Set(of(1))).toEqual(new Set([2, 3, 3.5, 5]))
  expect(of(2).filter((code) => code === 3)).toHaveLength(30)
  for (let i = 0; i < batch; i++) {
    const row = rows.codes.indexOf(codeOf(i, 0))
    expect(clearances[3 * i]).toBe(rows.clearances[3 * row])
  }
})

test('places are where the frames have them, and seen from the frame of the other part', () => {
  const { places, seen } = samples.draw(4, randomStream(8))
  for (let i = 0; i < 12; i++) {
    const code = places[2 * i + 1] + 0.25
    const axis = (k: number): number[] => [...places.subarray(24 * k + 2 * i, 24 * k + 2 * i + 2)]
    expect([axis(0), axis(1), axis(2)]).toEqual([
      [0.5, code - 0.25],
      [0, 0],
      [0, 0],
    ])
    const told = [...seen.subarray(6 * i, 6 * i + 6)]
    // From the first frame, which is that of space; from the second, whose x points along y and whose y against x.
    const due = [code - 0.25, 0, 0, 0, code - 0.5, 0]
    told.forEach((value, k) => {
      expect(value).toBeCloseTo(due[k], 5)
    })
  }
})
