/** Bounds of shares that a promise rests on: too low a one and more touching codes pass than the user allows. */
import { describe, expect, it } from 'vitest'
import { binomialUpperBound } from '../../src/math/binomial-bound.js'

/** Quantiles of Beta(hits + 1, trials - hits), by scipy.stats.beta.ppf. */
const KNOWN: [hits: number, trials: number, confidence: number, bound: number][] = [
  [0, 200, 0.95, 0.014867039231272054],
  [0, 3000, 0.95, 0.0009980790119965865],
  [3, 300, 0.95, 0.025641393082609616],
  [1, 10, 0.95, 0.39416330243650466],
  [5, 10, 0.9, 0.732681901313448],
  [9, 10, 0.95, 0.9948838031081763],
  [30, 1000, 0.99, 0.04505042919202844],
  [2500, 25_000, 0.95, 0.10317535685029297],
]

describe('the upper bound of Clopper and Pearson', () => {
  it.each(KNOWN)('of %i in %i at %d', (hits, trials, confidence, bound) => {
    expect(Math.abs(binomialUpperBound(hits, trials, confidence) / bound - 1)).toBeLessThan(1e-9)
  })

  it('is 1 - (1 - c)^(1/n) where none was seen, and one where nothing is known', () => {
    for (const trials of [1, 7, 1e6]) {
      expect(binomialUpperBound(0, trials, 0.95)).toBeCloseTo(1 - 0.05 ** (1 / trials), 12)
    }
    expect(binomialUpperBound(0, 0, 0.95)).toBe(1)
    expect(binomialUpperBound(4, 4, 0.95)).toBe(1)
  })
})
