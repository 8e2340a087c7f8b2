/** How times become one number. */

/** @throws RangeError if there are no times */
export function median(times: ArrayLike<number>): number {
  if (times.length === 0) throw new RangeError('median: no times; measure at least once.')
  const sorted = Float64Array.from(times).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
