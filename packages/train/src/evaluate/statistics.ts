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
