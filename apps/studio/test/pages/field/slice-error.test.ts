import { describe, expect, it } from 'vitest'
import { sliceError } from '../../../src/pages/field/slice-error.js'

describe('the error of a slice', () => {
  it('counts the trained band only, on both sides of the surface', () => {
    const error = sliceError(Float32Array.of(0.5, -0.25, 9, -9), Float32Array.of(0.25, 0.5, 1.5, -1.5), 1)
    expect([...error.values]).toEqual([0.25, 0.75, Number.NaN, Number.NaN])
    expect(error).toMatchObject({ mean: 0.5, max: 0.75, points: 2 })
  })

  it('is zero, not NaN, where the slice misses the band', () => {
    expect(sliceError(Float32Array.of(1), Float32Array.of(3), 1)).toMatchObject({ mean: 0, max: 0, points: 0 })
  })
})
