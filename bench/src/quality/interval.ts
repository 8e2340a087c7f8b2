/** A figure that was measured with several seeds, and how sure it is. */
export interface Interval {
  mean: number
  /** 95% interval of the mean by Student's t. */
  low: number
  high: number
}

/** Quantiles of Student's t at 97.5% for 1, 2, ... degrees of freedom; beyond, that of the normal distribution. */
const STUDENT = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
const NORMAL = 1.96

/** @param values one for each seed; of one value alone the interval is all numbers */
export function intervalOf(values: readonly number[]): Interval {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  if (values.length < 2) return { mean, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const freedom = values.length - 1
  const half = (STUDENT[freedom - 1] ?? NORMAL) * Math.sqrt(squares / freedom / values.length)
  return { mean, low: mean - half, high: mean + half }
}
