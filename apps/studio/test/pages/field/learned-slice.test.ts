import { describe, expect, it } from 'vitest'
import { COARSE_POINTS, FINE_POINTS } from '../../../src/pages/field/field-protocol.js'
import { pointsInMotion } from '../../../src/pages/field/learned-slice.js'

describe('nodes in motion', () => {
  it('are all of them where the network is fast, few where it is slow, never none', () => {
    expect(pointsInMotion(1e-5)).toBe(FINE_POINTS)
    expect(pointsInMotion(1)).toBe(COARSE_POINTS)
    expect(pointsInMotion(1e-3)).toBe(7000)
  })
})
