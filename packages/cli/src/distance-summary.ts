/** What a set of distances amounts to: the part of a result that fits on a screen. */
import { formatCount, formatNumber, formatSeconds } from './format.js'

export interface DistanceSummary {
  readonly count: number
  /** Smallest and largest distance [m]; null when there are no points. */
  readonly min: number | null
  readonly max: number | null
  /** How many points lie inside (negative distance). */
  readonly inside: number
  readonly seconds: number
}

/** Documentation of the keys, for the verbs that print them. */
export const SUMMARY_KEYS = {
  count: 'number of points',
  min: 'smallest distance [m], null without points',
  max: 'largest distance [m], null without points',
  inside: 'number of points inside (negative distance)',
  seconds: 'time of the queries alone',
} as const

export function summarise(distances: ArrayLike<number>, seconds: number): DistanceSummary {
  let [min, max, inside] = [Infinity, -Infinity, 0]
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i]
    if (distance < min) min = distance
    if (distance > max) max = distance
    if (distance < 0) inside++
  }
  const empty = distances.length === 0
  return { count: distances.length, min: empty ? null : min, max: empty ? null : max, inside, seconds }
}

/** Rows for `labelled`. */
export function summaryRows({ count, min, max, inside, seconds }: DistanceSummary): [string, string][] {
  const rate = seconds > 0 && count > 0 ? ` (${formatNumber((1e6 * seconds) / count)} us per point)` : ''
  return [
    ['points', `${formatCount(count)}, ${formatCount(inside)} of them inside`],
    ['distance', min === null || max === null ? 'no points' : `${formatNumber(min)} to ${formatNumber(max)} m`],
    ['time', `${formatSeconds(seconds)}${rate}`],
  ]
}
