import { expect, test } from 'vitest'
import { intervalOf } from '../../src/quality/interval.js'

test("an interval is Student's: wide for few seeds, without end for one", () => {
  // Deviation 1, of the mean 1 / sqrt(3); t is 4.303 for two degrees of freedom.
  const { mean, low, high } = intervalOf([1, 2, 3])
  expect(mean).toBe(2)
  expect(high - mean).toBeCloseTo(4.303 / Math.sqrt(3), 3)
  expect(mean - low).toBeCloseTo(high - mean)
  expect(intervalOf([5]).high).toBe(Number.POSITIVE_INFINITY)
  expect(intervalOf(Array(40).fill(1))).toEqual({ mean: 1, low: 1, high: 1 })
})
