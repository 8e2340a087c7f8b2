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
