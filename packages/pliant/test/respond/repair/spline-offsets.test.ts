import { describe, expect, it } from 'vitest'
import { SplineOffsets } from '../../../src/respond/repair/spline-offsets.js'

const ones = (offsets: SplineOffsets): Float64Array => new Float64Array(offsets.knots).fill(1)

function valuesOf(offsets: SplineOffsets, coefficients: Float64Array, frames: number): number[] {
  const out = new Float64Array(1)
  return Array.from({ length: frames }, (_, frame) => {
    offsets.at(coefficients, 1, frame, out)
    return out[0]
  })
}

describe('offsets over frames', () => {
  it('come from nothing and go to nothing within their span, and are whole between', () => {
    const offsets = new SplineOffsets({ first: 20, last: 80 }, 4, 200)
    const values = valuesOf(offsets, ones(offsets), 200)
    expect(values.slice(0, 20)).toEqual(new Array(20).fill(0))
    expect(values.slice(81)).toEqual(new Array(119).fill(0))
    // Splines on even knots sum to one where all of them are there.
    for (const value of values.slice(36, 65)) expect(value).toBeCloseTo(1, 12)
    // No jump in the first or second difference: nothing like what one frame at full strength would make.
    const second = values.slice(2).map((value, i) => value - 2 * values[i + 1] + values[i])
    expect(Math.max(...second.map(Math.abs))).toBeLessThan(1 / 16)
  })

  it('need not come or go at the ends of the clip', () => {
    const offsets = new SplineOffsets({ first: 0, last: 30 }, 4, 31)
    for (const value of valuesOf(offsets, ones(offsets), 31)) expect(value).toBeCloseTo(1, 12)
  })

  it('pull gradients back: by differences', () => {
    const offsets = new SplineOffsets({ first: 3, last: 40 }, 3.5, 60)
    const size = 2
    const coefficients = Float64Array.from({ length: size * offsets.knots }, (_, i) => Math.sin(3 * i))
    const by = Float64Array.of(0.7, -1.3)
    const valueAt = (x: Float64Array): number => {
      const out = new Float64Array(size)
      offsets.at(x, size, 17, out)
      return by[0] * out[0] + by[1] * out[1]
    }
    const gradient = new Float64Array(coefficients.length)
    offsets.pullBack(by, size, 17, gradient)
    expect(gradient.some((value) => value !== 0)).toBe(true)
    coefficients.forEach((_, i) => {
      const moved = (step: number): number => valueAt(coefficients.map((x, j) => (i === j ? x + step : x)))
      expect(gradient[i]).toBeCloseTo((moved(1e-3) - moved(-1e-3)) / 2e-3, 9)
    })
  })
})
