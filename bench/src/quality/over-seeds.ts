/** What several seeds make of one field: means of means and quantiles, the largest of the largest, an interval of the mean. */
import type { Quality } from 'pliant'
import { type Interval, intervalOf } from './interval.js'

/** Lengths in % of what `Quality.diagonal` is: a character's height, a body's diagonal. */
export interface SeedsQuality {
  /** |error| of off-surface points in the band: mean over seeds with its interval, 95% below, the largest; mean on the surface. */
  error: Interval & { p95: number; max: number; surface: number }
  /** Share of points further than 0.5% of the size whose sign is right [%]. */
  sign: number
  /** [degrees] */
  normalError: { median: number; p95: number }
  /** Points further than the band: mean and largest |error|; of those outside, how much too far away at most. */
  beyond: { mean: number; max: number; maxTooFar: number }
  /** 99.5% of overestimates are smaller: what a game would add to a thickness. */
  margin: number
}

/** @param qualities one of each seed */
export function overSeeds(qualities: readonly Quality[]): SeedsQuality {
  const percent = (take: (quality: Quality) => number): number[] =>
    qualities.map((quality) => (100 * take(quality)) / quality.size)
  return {
    error: {
      ...intervalOf(percent(({ bandError }) => bandError.mean)),
      p95: meanOf(percent(({ bandError }) => bandError.p95)),
      max: Math.max(...percent(({ bandError }) => bandError.max)),
      surface: meanOf(percent(({ surfaceError }) => surfaceError.mean)),
    },
    sign: 100 * meanOf(qualities.map(({ signAccuracy }) => signAccuracy)),
    normalError: {
      median: meanOf(qualities.map(({ normalError }) => normalError.p50)),
      p95: meanOf(qualities.map(({ normalError }) => normalError.p95)),
    },
    beyond: {
      mean: meanOf(percent(({ beyond }) => beyond!.mean)),
      max: Math.max(...percent(({ beyond }) => beyond!.max)),
      maxTooFar: Math.max(...percent(({ beyond }) => beyond!.maxTooFar)),
    },
    margin: meanOf(percent(({ safetyMargin }) => safetyMargin)),
  }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
