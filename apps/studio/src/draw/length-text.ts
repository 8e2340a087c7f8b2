/** Lengths as people read them: metres in, millimetres or metres out, whichever suits the object's size. */
import { decimalsOf } from './ticks.js'

export interface LengthUnit {
  readonly name: string
  /** Units in a metre. */
  readonly perMetre: number
}

const UNITS: readonly LengthUnit[] = [
  { name: '\u00b5m', perMetre: 1e6 },
  { name: 'mm', perMetre: 1e3 },
  { name: 'm', perMetre: 1 },
]

/** The unit in which a length of this size [m] has one to three digits before the point, or the nearest to that. */
export function unitFor(length: number): LengthUnit {
  return UNITS.find((unit) => Math.abs(length) * unit.perMetre < 1000) ?? UNITS[2]
}

/** Three significant digits, no exponent, a proper minus sign. */
export function lengthText(length: number, unit: LengthUnit): string {
  return `${threeDigits(length * unit.perMetre)}\u202f${unit.name}`
}

export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return '\u2013'
  const size = Math.abs(value)
  const decimals = size === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))))
  return withMinus(value.toFixed(decimals))
}

/** A tick's label: as many decimals as the step needs. */
export function tickText(value: number, step: number): string {
  return withMinus(value.toFixed(decimalsOf(step)))
}

function withMinus(text: string): string {
  // "-0.00" is zero.
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '\u2212')
}
