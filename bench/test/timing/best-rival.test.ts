import { expect, test } from 'vitest'
import { fastestOf, gainOver } from '../../src/timing/best-rival.js'

test('a gain is over the fastest rival, whichever that is', () => {
  const times = { ours: 2, slow: 30, fast: 10, other: 1 }
  expect(gainOver(times, 'ours', ['slow', 'fast'])).toEqual({ rival: 'fast', gain: 5 })
  expect(gainOver({ ...times, slow: 4 }, 'ours', ['slow', 'fast'])).toEqual({ rival: 'slow', gain: 2 })
  // A result that was saved before a rival was raced does not have it.
  const saved: Partial<Record<'ours' | 'slow' | 'later', number>> = { ours: 2, slow: 30 }
  expect(gainOver(saved, 'ours', ['later', 'slow'])).toEqual({ rival: 'slow', gain: 15 })
  expect(fastestOf(saved.later, saved.slow)).toBe(30)
})
