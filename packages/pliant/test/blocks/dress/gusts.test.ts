import { describe, expect, it } from 'vitest'
import { gustAt } from '../../../src/blocks/dress/gusts.js'

const speedAt = (seconds: number): number => Math.hypot(...gustAt({ speed: 10, from: 0 }, seconds))

describe('wind', () => {
  it('comes in gusts of a third more or less, and is as fast as told in the mean', () => {
    // A whole period of both waves.
    const speeds = Array.from({ length: 6000 }, (_, n) => speedAt((20 * Math.PI * n) / 6000))
    expect(speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length).toBeCloseTo(10, 6)
    expect(Math.max(...speeds)).toBeGreaterThan(12.5)
    expect(Math.max(...speeds)).toBeLessThanOrEqual(13.5)
    expect(Math.min(...speeds)).toBeLessThan(7.5)
  })

  it('comes from where it is told to: the front, or +X', () => {
    expect(gustAt({ speed: 3, from: 0 }, 0)).toEqual([expect.closeTo(0), 0, expect.closeTo(-3)])
    expect(gustAt({ speed: 3, from: Math.PI / 2 }, 0)).toEqual([expect.closeTo(-3), 0, expect.closeTo(0)])
  })
})
