import type { Quality } from 'pliant'
import { expect, it } from 'vitest'
import { overSeeds } from '../../src/quality/over-seeds.js'

const quality = (mean: number, max: number): Quality => ({
  poses: 10,
  points: 100,
  size: 2,
  sizeOf: 'diagonal',
  bandError: { mean, p50: mean, p95: 3 * mean, p99: 5 * mean, max },
  surfaceError: { mean: mean / 2, p95: mean, max },
  signAccuracy: 1 - mean,
  normalError: { p50: 100 * mean, p95: 1000 * mean },
  worstPoses: [],
  safetyMargin: 4 * mean,
  beyond: { from: 0.1, share: 0.5, mean: 10 * mean, max: 2 * max, tooFar: 0.5, maxTooFar: max },
})

it('means, the largest of all seeds, and an interval, in percent of the size', () => {
  const { error, sign, normalError, beyond, margin } = overSeeds([quality(0.01, 0.5), quality(0.03, 0.2)])
  expect(error).toMatchObject({ mean: 1, p95: 3, max: 25, surface: 0.5 })
  // Student's t of one degree of freedom, on a deviation of 0.7 / sqrt(2).
  expect([error.low, error.high]).toEqual([expect.closeTo(1 - 12.71 * 0.5, 6), expect.closeTo(1 + 12.71 * 0.5, 6)])
  expect(sign).toBeCloseTo(98)
  expect(normalError).toEqual({ median: expect.closeTo(2), p95: expect.closeTo(20) })
  expect(beyond).toEqual({ mean: expect.closeTo(10), max: expect.closeTo(50), maxTooFar: expect.closeTo(25) })
  expect(margin).toBeCloseTo(4)
})
