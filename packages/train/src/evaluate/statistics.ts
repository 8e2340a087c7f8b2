/** Quantiles and means of measured errors. */

/** The q-quantile of values (0 to 1) by linear interpolation; 0 of an empty set. Sorts `values` in place. */
export function quantile(values: Float64Array, q: number): number {
  if (values.length === 0) return 0
  values.sort()
  const at = q * (values.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, values.length - 1)
  return values[low] + (at - low) * (values[high] - values[low])
}

export function meanOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return values.length > 0 ? sum / values.length : 0
}

/**
 * 95% interval of the mean over all values, which come in groups that have something in common: the mean of sums over
 * sums of counts, linearised (Cochran 1977, section 6), with Student's t of one less than the groups. Values of one group
 * count together, however many they are.
 */
export function intervalOfGroups(groups: readonly { sum: number; count: number }[]): {
  lower: number
  upper: number
  groups: number
} {
  const all = groups.reduce((total, { count }) => total + count, 0)
  const mean = groups.reduce((total, { sum }) => total + sum, 0) / all
  const squares = groups.reduce((total, { sum, count }) => total + (sum - count * mean) ** 2, 0)
  const freedom = groups.length - 1
  const half = (studentT(freedom) * Math.sqrt((squares * groups.length) / freedom)) / all
  return { lower: Math.max(0, mean - half), upper: mean + half, groups: groups.length }
}

/** The 97.5th percentile of Student's t: exact for 1 and 2 degrees of freedom, else Hill's series, to 1% from 3 up. */
function studentT(freedom: number): number {
  if (freedom === 1) return 12.706
  if (freedom === 2) return 4.303
  const z = 1.959964
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
}
