import { expect, it } from 'vitest'
import { cosineRate } from '../../src/learn/schedule.js'

it('warms up in a tenth of the steps, 200 at most, and falls by a cosine to 1% of the peak', () => {
  expect(cosineRate(0, 1000, 2)).toBeCloseTo(2 / 100)
  expect(cosineRate(99, 1000, 2)).toBe(2)
  expect(cosineRate(100, 1000, 2)).toBe(2)
  expect(cosineRate(550, 1000, 2)).toBeCloseTo(2 * 0.505)
  expect(cosineRate(1000, 1000, 2)).toBeCloseTo(0.02)
  // Long runs warm up no longer.
  expect(cosineRate(199, 60_000, 1)).toBe(1)
  expect(cosineRate(0, 60_000, 1)).toBeCloseTo(1 / 200)
  for (let step = 101; step < 1000; step++) {
    expect(cosineRate(step, 1000, 1)).toBeLessThan(cosineRate(step - 1, 1000, 1))
  }
  // A run of one step takes one.
  expect(cosineRate(0, 1, 3)).toBe(3)
})
