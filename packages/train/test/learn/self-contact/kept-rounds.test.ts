import { expect, it } from 'vitest'
import { RoundData } from '../../../src/learn/rounds/index.js'
import { keptRounds } from '../../../src/learn/self-contact/kept-rounds.js'

it('keeps as many samples of each round, evenly over it, and leaves out what has no sign', () => {
  type Row = { codes: Float32Array; signs: Int8Array }
  let data = RoundData.empty<Row>({ codes: 2, signs: 1 })
  const rows = (count: number, from: number): Row => ({
    codes: Float32Array.from({ length: 2 * count }, (_, i) => from + Math.floor(i / 2)),
    signs: Int8Array.from({ length: count }, (_, i) => (i % 3) - 1),
  })
  data = data.with(rows(6000, 0)).with(rows(9, 10_000))
  const kept = keptRounds(data, 2, ({ signs }, row) => signs[row])
  expect(kept.rounds).toEqual([1000, 6])
  expect(kept.signs.length).toBe(1006)
  expect(kept.codes.length).toBe(2012)
  expect([...kept.signs].every((sign) => sign === 1 || sign === -1)).toBe(true)
  // The first and nearly the last of the first round, in order; all of the second.
  expect([kept.codes[0], kept.codes[1998]]).toEqual([0, 5994])
  expect([...kept.codes.slice(2000).filter((_, i) => i % 2 === 0)]).toEqual([10000, 10002, 10003, 10005, 10006, 10008])
  for (let i = 0; i < kept.signs.length; i++) {
    const row = kept.codes[2 * i] % 10_000
    expect(kept.signs[i]).toBe((row % 3) - 1)
  }
})
