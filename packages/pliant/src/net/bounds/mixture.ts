/** What a mean can be whose weights are known only between two ends: sum w v / sum w, least and largest. */

/** A value between two ends, and its weight. */
export interface Share {
  low: number
  high: number
  least: number
  most: number
}

/**
 * The mean is largest where values above it have all the weight that they may have, and the others as little as they may.
 * @returns [-Infinity, Infinity] if there is none that must or may weigh anything
 */
export function mixtureBounds(shares: readonly Share[]): [number, number] {
  const upper = largestMean(shares.map(({ high, least, most }) => [high, least, most] as const))
  const lower = -largestMean(shares.map(({ low, least, most }) => [-low, least, most] as const))
  return [lower, upper]
}

function largestMean(shares: (readonly [value: number, least: number, most: number])[]): number {
  shares.sort((a, b) => b[0] - a[0])
  let [largest, sum, total] = [-Infinity, 0, 0]
  for (const [value, least] of shares) {
    sum += least * value
    total += least
  }
  if (total > 0) largest = sum / total
  for (const [value, least, most] of shares) {
    sum += (most - least) * value
    total += most - least
    if (total > 0) largest = Math.max(largest, sum / total)
  }
  return largest === -Infinity ? Infinity : largest
}
