import { describe, expect, it } from 'vitest'
import { RollingMedian } from '../../src/measure/rolling-median.js'

describe('the rolling median', () => {
  it('is the middle of the last values, and forgets older ones', () => {
    const median = new RollingMedian(3)
    expect(median.value).toBeNaN()
    const seen = [10, 2, 9, 100, 1].map((value) => {
      median.add(value)
      return median.value
    })
    expect(seen).toEqual([10, 6, 9, 9, 9])
    expect(median.count).toBe(3)
  })
})

describe('the range of the last values', () => {
  it('is told by quantiles, between values too', () => {
    const values = new RollingMedian(5)
    expect(values.quantile(0.5)).toBeNaN()
    for (const value of [1000, 50, 10, 40, 20, 30]) values.add(value)
    expect([0, 0.25, 0.5, 1].map((share) => values.quantile(share))).toEqual([10, 20, 30, 50])
    expect(values.quantile(0.1)).toBeCloseTo(14)
  })
})
