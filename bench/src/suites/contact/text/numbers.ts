/** Numbers in the tables of suite contact, which go from 1e-16 to some thousand. */
import { percent, round } from '../../../report/markdown.js'

export function small(value: number): string {
  if (value === 0) return '0'
  return value < 1e-3 ? value.toExponential(1) : round(value, 2)
}

export function milliseconds(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value.toPrecision(3)
}

export function share(value: number): string {
  return value < 1e-3 ? `${small(100 * value)}%` : percent(value, 1)
}
