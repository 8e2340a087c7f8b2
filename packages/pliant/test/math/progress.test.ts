import { expect, it } from 'vitest'
import { type OnProgress, type Progress, progressWithin } from '../../src/math/progress.js'

it('carries the words of a part over to the whole, and meets its ends exactly', () => {
  const told: Progress[] = []
  const onProgress: OnProgress = (progress) => told.push(progress)
  const part = progressWithin(onProgress, 0.1, 0.7)
  for (const fraction of [0, 0.5, 1]) part({ fraction, stage: 'labelling', detail: `${fraction}` })
  expect(told.map(({ fraction }) => fraction)).toEqual([0.1, expect.closeTo(0.4, 12), 0.7])
  expect(told[1]).toMatchObject({ stage: 'labelling', detail: '0.5' })
  progressWithin(onProgress, 0.7, 1, { stage: 'learning', detail: 'step 3' })({ fraction: 1, stage: 'steps' })
  expect(told.at(-1)).toEqual({ fraction: 1, stage: 'learning', detail: 'step 3' })
  expect(() => progressWithin(undefined, 0, 1)({ fraction: 1, stage: 'unheard' })).not.toThrow()
})
