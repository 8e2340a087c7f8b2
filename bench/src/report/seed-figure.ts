/** A figure in a table: of one seed as it is, of several their mean and how sure it is. */
import { intervalOf } from '../quality/interval.js'

/** What stands in a cell that nobody has trained, or that a paper does not have. */
export const NOTHING = '–'

/** A mean, with half the width of its 95% interval where there are several seeds. */
export function seedFigure(values: readonly number[], show: (value: number) => string): string {
  if (values.length === 0) return NOTHING
  const { mean, high } = intervalOf(values)
  return values.length < 2 ? show(mean) : `${show(mean)} ±\u00a0${show(high - mean)}`
}

/** A share of right answers [%], rounded down: 100.00 is said where all are. */
export const right = (value: number): string => (Math.floor(100 * value + 1e-6) / 100).toFixed(2)
