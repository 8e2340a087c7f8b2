/**
 * Options as plain JavaScript may give them, made into settings: an option given as undefined counts as not given, one
 * that does not exist, or of another type or range, ends in one line that names it.
 */
import { areFinite, shown } from './require.js'

/** What a value must be. */
export interface Rule {
  fits(value: unknown): boolean
  /** As the message puts it: `give a positive number`. */
  needs: string
}

export type Rules<T> = { readonly [K in keyof Required<T>]: Rule }

/**
 * @param what      who asks, as `cloth`
 * @param defaults  of every setting that is not given
 * @param rules     one for every setting, so that no option escapes
 * @throws RangeError naming the first that does not fit
 */
export function settingsOf<T extends object>(what: string, given: Partial<T>, defaults: T, rules: Rules<T>): T {
  if (typeof given !== 'object' || given === null) {
    throw new RangeError(`${what}: the options are ${shown(given)}; pass an object.`)
  }
  const settings = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(rules, name)) {
      throw new RangeError(`${what}: there is no option '${name}'; choose from ${Object.keys(rules).join(', ')}.`)
    }
    if (value !== undefined) settings[name as keyof T] = value as T[keyof T]
  }
  for (const [name, rule] of Object.entries<Rule>(rules)) {
    const value = settings[name as keyof T]
    if (!rule.fits(value)) throw new RangeError(`${what}: ${name} is ${shown(value)}; ${rule.needs}.`)
  }
  return settings
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Finite, unless it says otherwise. */
export const POSITIVE: Rule = {
  fits: (value) => isNumber(value) && value > 0 && value < Infinity,
  needs: 'give a positive number',
}
export const POSITIVE_OR_INFINITE: Rule = {
  fits: (value) => isNumber(value) && value > 0,
  needs: 'give a positive number or Infinity',
}
export const NOT_NEGATIVE: Rule = {
  fits: (value) => isNumber(value) && value >= 0 && value < Infinity,
  needs: 'give zero or more',
}
export const BELOW_ONE: Rule = {
  fits: (value) => isNumber(value) && value > 0 && value < 1,
  needs: 'give a number between 0 and 1',
}
export const SHARE: Rule = {
  fits: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  needs: 'give 0 to 1',
}
export const COUNT: Rule = {
  fits: (value) => Number.isInteger(value) && (value as number) >= 1,
  needs: 'give a whole number of at least 1',
}
export const COUNT_OR_ZERO: Rule = {
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
  needs: 'give a whole number of at least 0',
}
export const YES_OR_NO: Rule = { fits: (value) => typeof value === 'boolean', needs: 'give true or false' }
export const THREE_NUMBERS: Rule = { fits: isVector, needs: 'give three finite numbers' }
export const LIST: Rule = { fits: (value) => Array.isArray(value), needs: 'give an array' }
export const OBJECT: Rule = {
  fits: (value) => typeof value === 'object' && value !== null,
  needs: 'give an object',
}

export function oneOf(...names: string[]): Rule {
  const quoted = names.map((name) => `'${name}'`)
  return {
    fits: (value) => names.includes(value as string),
    needs: `give ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
  }
}

/** Whether a value is three finite numbers, in whatever kind of array. */
export function isVector(value: unknown): value is ArrayLike<number> {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return false
  const v = value as ArrayLike<unknown>
  return v.length === 3 && isNumber(v[0]) && isNumber(v[1]) && isNumber(v[2]) && areFinite(v as ArrayLike<number>)
}
