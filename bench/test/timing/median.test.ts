import { expect, test } from 'vitest'
import { median } from '../../src/timing/median.js'

test('the median is the middle, or the mean of the two in the middle, and leaves the times in order', () => {
  const times = [5, 1, 100]
  expect(median(times)).toBe(5)
  expect(times).toEqual([5, 1, 100])
  expect(median([4, 10, 2, 1])).toBe(3)
  expect(() => median([])).toThrow(/no times/)
})
