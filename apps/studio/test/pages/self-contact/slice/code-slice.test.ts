import { describe, expect, it } from 'vitest'
import {
  type CodeSlice,
  isElsewhere,
  placeInSlice,
  placesOf,
  SIDE,
  sliceCodes,
} from '../../../../src/pages/self-contact/slice/code-slice.js'

const box = { lower: Float64Array.of(-1, -2, 0), upper: Float64Array.of(1, 2, 0.3) }
const slice: CodeSlice = { code: Float64Array.of(0.5, 7, 0.1), axes: [2, 0] }

describe('codes of a slice', () => {
  it('run over the box along the axes and stay elsewhere, but within the box', () => {
    const corners = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1]
    const codes = new Float64Array(12)
    sliceCodes(slice, box, placesOf(corners), codes)
    // The first axis is mode 3, the second mode 1; mode 2 was beyond its box, where exact tests are slow.
    expect([...codes]).toEqual([-1, 2, 0, -1, 2, 0.3, 1, 2, 0, 1, 2, 0.3])
  })

  it('come back to the place that they were made of', () => {
    const code = new Float64Array(3)
    sliceCodes(slice, box, [24, 72], code)
    expect(placeInSlice(code, slice.axes, box).map((share) => share * (SIDE - 1))).toEqual([24, 72])
  })
})

describe('a slice', () => {
  const moved = (...code: number[]): CodeSlice => ({ ...slice, code: Float64Array.from(code) })

  it('stays the same while the code moves along its axes', () => {
    expect(isElsewhere(moved(-0.9, 7, 0.3), slice, box, 0.01)).toBe(false)
  })

  it('is another one once something else has moved, or along other axes', () => {
    expect(isElsewhere(moved(0.5, 7.03, 0.1), slice, box, 0.01)).toBe(false)
    expect(isElsewhere(moved(0.5, 7.05, 0.1), slice, box, 0.01)).toBe(true)
    expect(isElsewhere({ ...slice, axes: [0, 2] }, slice, box, 0.01)).toBe(true)
  })
})
