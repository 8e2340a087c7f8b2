import type { Quality } from 'pliant'
import { describe, expect, it } from 'vitest'
import { faultOf } from '../../src/evaluate/verdict.js'

/** @param mean in sizes of 2 m */
function quality(mean: number, signAccuracy = 1): Quality {
  const error = { mean: 2 * mean, p50: 0, p95: 0, p99: 0, max: 0 }
  return {
    poses: 1,
    points: 1,
    size: 2,
    sizeOf: 'diagonal',
    bandError: error,
    surfaceError: error,
    signAccuracy,
    normalError: { p50: 0, p95: 0 },
    worstPoses: [],
    safetyMargin: 0,
    beyond: { from: 0.1, share: 0, mean: 0, max: 0, tooFar: 0, maxTooFar: 0 },
  }
}

describe('what is wrong with a trained field', () => {
  const rival = { name: 'its rest shape', quality: quality(0.004) }

  it('is nothing if it beats what takes no training', () => {
    expect(faultOf(quality(0.003), rival)).toBeUndefined()
    expect(faultOf(quality(0.009))).toBeUndefined()
  })

  it.each([
    [quality(0.005), rival, 'its mean error, 0.5% of the size, is worse than the 0.4% of its rest shape'],
    [quality(0.0101), undefined, 'its mean error is 1.01% of the size, more than 1%'],
    [quality(0.001, 0.94), rival, 'at 94% of the points, fewer than 95%'],
    [quality(Number.NaN), rival, 'it does not answer with finite numbers'],
    [quality(Infinity), undefined, 'it does not answer with finite numbers'],
    [quality(0.001, Number.NaN), undefined, 'it tells inside from outside at NaN%'],
    [quality(0.001), { ...rival, quality: quality(Number.NaN) }, 'is worse than the NaN%'],
  ])('is told with its figure (%#)', (judged, against, words) => {
    expect(faultOf(judged, against)).toContain(words)
  })
})
