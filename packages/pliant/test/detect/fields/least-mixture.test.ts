import { describe, expect, it } from 'vitest'
import { leastMixture } from '../../../src/detect/fields/least-mixture.js'

const mixtureOf = (gradients: number[], heights: number[], length = 1): number[] => {
  const out = new Float64Array(3)
  leastMixture(Float64Array.from(gradients), Float64Array.from(heights), heights.length, length, out, 0)
  return [...out]
}

describe('the step down from a few planes', () => {
  it('goes against the one gradient there is', () => {
    expect(mixtureOf([1, 2, 3], [0])).toEqual([1, 2, 3])
  })

  it('goes between two that are as high, and as far along both', () => {
    expect(mixtureOf([1, 0, 0, 0, 1, 0], [0, 0])).toEqual([0.5, 0.5, 0])
    const [x, y, z] = mixtureOf([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])
    for (const value of [x, y, z]) expect(value).toBeCloseTo(1 / 3, 12)
  })

  it('ends where the other plane is as high, if that is nearer than its length', () => {
    // x and y - .2 are as high at the end of a step of 1: of x alone it would be at x = -1, far under the other.
    const m = mixtureOf([1, 0, 0, 0, 1, 0], [0, -0.2])
    expect(-m[0]).toBeCloseTo(-m[1] - 0.2, 12)
    expect(m[0] + m[1]).toBeCloseTo(1, 12)
  })

  it('leaves out a plane that stays lower all the way', () => {
    expect(mixtureOf([1, 0, 0, 0, 1, 0], [0, -2])).toEqual([1, 0, 0])
  })

  it('is the least of a fine grid of mixtures', () => {
    const gradients = [1, 0.2, -0.3, -0.5, 0.9, 0.1, 0.2, -0.4, 0.8]
    const heights = [0, -0.05, -0.1]
    const cost = (w: number[]): number => {
      const m = [0, 1, 2].map((k) => w.reduce((sum, weight, j) => sum + weight * gradients[3 * j + k], 0))
      return m.reduce((sum, v) => sum + v * v, 0) / 2 - w.reduce((sum, weight, j) => sum + weight * heights[j], 0) / 0.7
    }
    let [least, best]: [number, number[]] = [Infinity, []]
    for (let i = 0; i <= 200; i++) {
      for (let j = 0; i + j <= 200; j++) {
        const w = [i / 200, j / 200, 1 - (i + j) / 200]
        if (cost(w) >= least) continue
        least = cost(w)
        best = [0, 1, 2].map((k) => w.reduce((sum, weight, each) => sum + weight * gradients[3 * each + k], 0))
      }
    }
    const m = mixtureOf(gradients, heights, 0.7)
    m.forEach((value, k) => {
      expect(Math.abs(value - best[k])).toBeLessThan(0.02)
    })
  })
})
