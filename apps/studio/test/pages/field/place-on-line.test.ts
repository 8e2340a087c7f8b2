import { describe, expect, it } from 'vitest'
import { placeOnLine } from '../../../src/pages/field/place-on-line.js'

const unit = (v: number[]): number[] => v.map((c) => c / Math.hypot(...v))

describe('dragging along an axis', () => {
  it('finds the point that the ray goes through', () => {
    const [eye, target] = [
      [3, 4, 5],
      [1, 2, -0.7],
    ]
    const direction = unit(target.map((c, i) => c - eye[i]))
    expect(placeOnLine(eye, direction, [1, 2, 99], 2)).toBeCloseTo(-0.7, 9)
  })

  it('finds the nearest point where the ray passes by', () => {
    // Crosses the x axis's surroundings at x = 2, one unit above it.
    expect(placeOnLine([2, 1, 5], [0, 0, -1], [0, 0, 0], 0)).toBeCloseTo(2, 9)
  })

  it('has no answer for a ray along the axis', () => {
    expect(placeOnLine([0, 0, 5], [0, 0, -1], [1, 1, 0], 2)).toBeUndefined()
  })
})
