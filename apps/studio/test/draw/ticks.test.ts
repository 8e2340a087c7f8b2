import { describe, expect, it } from 'vitest'
import { decimalsOf, roundStep, roundUp, ticks } from '../../src/draw/ticks.js'

describe('round steps', () => {
  it('are 1, 2 or 5 times a power of ten, and cut into no more parts than asked', () => {
    for (const span of [0.0007, 0.06, 1, 3.3, 420, 98765]) {
      for (const most of [1, 2, 5, 8]) {
        const step = roundStep(span, most)
        const digit = step / 10 ** Math.floor(Math.log10(step) + 1e-9)
        expect([1, 2, 5].some((nice) => Math.abs(digit - nice) < 1e-9)).toBe(true)
        expect(span / step).toBeLessThanOrEqual(most + 1e-6)
        // The next smaller round step, at least 2.5 times finer, would cut too fine.
        expect((2.5 * span) / step).toBeGreaterThan(most)
      }
    }
  })

  it('do not skip a step for a rounding error', () => {
    expect(roundStep(0.6, 3)).toBeCloseTo(0.2, 12)
    expect(roundUp(0.002)).toBeCloseTo(0.002, 12)
    expect(roundUp(0.0056)).toBeCloseTo(0.01, 12)
  })

  it('refuse an empty span', () => {
    expect(() => roundStep(0, 4)).toThrow('ticks: span is 0; give a positive length.')
  })
})

describe('ticks', () => {
  it('are exact decimals inside the bounds, ends included', () => {
    expect(ticks(-0.3, 0.3, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3])
    expect(ticks(12, 51, 4)).toEqual([20, 30, 40, 50])
  })

  it('are told apart by their labels', () => {
    expect(decimalsOf(0.05)).toBe(2)
    expect(decimalsOf(0.1)).toBe(1)
    expect(decimalsOf(20)).toBe(0)
  })
})
