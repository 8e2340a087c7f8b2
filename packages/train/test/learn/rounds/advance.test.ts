/** Rounds that sample and learn at once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type RoundsOptions, runRounds } from '../../../src/learn/rounds/index.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-advance-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Row {
  [name: string]: Float32Array
  value: Float32Array
}

/** Each round adds as many rows as its number says, and its weight is the sum of all so far. */
function options(seen: number[], stopAt = Infinity): RoundsOptions<Row> {
  return {
    rounds: 4,
    seed: 1,
    specHash: 'sums',
    widths: { value: 1 },
    async advance(round, { data, weights }, random) {
      seen.push(round)
      if (round === stopAt) throw new Error('killed')
      const value = Float32Array.from({ length: round + 1 }, (_, i) => random(i).between(0, 1))
      const before = weights?.get('sum')?.[0] ?? 0
      expect(data.rows).toBe((round * (round + 1)) / 2)
      return { added: { value }, weights: new Map([['sum', Float32Array.of(value.reduce((a, b) => a + b, before))]]) }
    },
  }
}

describe('rounds that sample and learn at once', () => {
  it('hand samples and weights from one to the next', async () => {
    const seen: number[] = []
    const { data, weights, rounds } = await runRounds(options(seen))
    expect([rounds, data.rows, seen]).toEqual([4, 10, [0, 1, 2, 3]])
    expect(weights.get('sum')![0]).toBeCloseTo(
      data.columns.value.reduce((a, b) => a + b, 0),
      4,
    )
  })

  it('killed in one, go on with it: the rounds before are there, both halves of them', async () => {
    const whole = await runRounds(options([]))
    const checkpointPath = join(folder, 'run')
    await expect(runRounds({ ...options([], 2), checkpointPath })).rejects.toThrow('killed')
    const seen: number[] = []
    const resumed = await runRounds({ ...options(seen), checkpointPath, resume: true })
    expect(seen).toEqual([2, 3])
    expect(resumed.data.columns.value).toEqual(whole.data.columns.value)
    expect(resumed.weights).toEqual(whole.weights)
  })
})
