/** Keys of a JSON object, taken one by one: what is left over is not known, and what is wrong is named with its place. */
import { shown } from 'pliant/unstable'
import { UsageError } from '../errors.js'
import { nearest } from '../nearest.js'

/** A list of more numbers is no code. */
export const LONGEST_LIST = 100_000

export class Keys {
  readonly #taken: Set<string>
  /** Whoever reads it asked for these, whether or not they are there. */
  readonly #known = new Set<string>()

  /**
   * @param where  begins every message
   * @throws UsageError if it is no object
   */
  constructor(
    readonly where: string,
    private readonly json: unknown,
    taken = new Set<string>(),
  ) {
    this.#taken = taken
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw new UsageError(`${where}: is ${shown(json)}; give an object in braces.`)
    }
  }

  /** The same keys by another name. */
  at(where: string): Keys {
    return new Keys(where, this.json, this.#taken)
  }

  has(name: string): boolean {
    this.#known.add(name)
    return Object.hasOwn(this.json as object, name)
  }

  peek(name: string): unknown {
    return this.has(name) ? (this.json as Record<string, unknown>)[name] : undefined
  }

  any(name: string): unknown {
    this.#taken.add(name)
    return this.peek(name)
  }

  list(name: string): readonly unknown[] {
    const value = this.any(name)
    if (Array.isArray(value)) return value
    throw this.#wrong(name, value, 'a list')
  }

  text(name: string): string | undefined {
    const value = this.any(name)
    if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return value
    throw this.#wrong(name, value, 'a name')
  }

  file(name: string): string {
    const value = this.any(name)
    if (typeof value === 'string' && value !== '') return value
    throw this.#wrong(name, value, 'the name of a file')
  }

  number(name: string, range: { lower?: number; upper?: number; whole?: boolean } = {}): number | undefined {
    const value = this.any(name)
    const { lower = -Infinity, upper = Infinity, whole = false } = range
    if (value === undefined) return undefined
    const isNumber = typeof value === 'number' && Number.isFinite(value) && (!whole || Number.isInteger(value))
    if (isNumber && value >= lower && value <= upper) return value
    const ends = upper < Infinity ? ` from ${lower} to ${upper}` : lower > -Infinity ? ` from ${lower} up` : ''
    throw this.#wrong(name, value, `a ${whole ? 'whole' : 'finite'} number${ends}`)
  }

  /** @param count  how many there must be; any number up to `most` if it is left out */
  numbers(name: string, { count, most = count ?? 0 }: { count?: number; most?: number }): readonly number[] {
    const value = this.any(name)
    const wanted = `${count ?? 'a list of'} finite numbers`
    if (!Array.isArray(value) || value.length > most || (count !== undefined && value.length !== count)) {
      throw this.#wrong(name, value, wanted)
    }
    const bad = value.findIndex((each) => typeof each !== 'number' || !Number.isFinite(each))
    if (bad >= 0) throw this.#wrong(`${name}[${bad}]`, value[bad], wanted)
    return value
  }

  /** @throws UsageError naming the first key that nobody asked for */
  finish(): void {
    const left = Object.keys(this.json as object).find((name) => !this.#taken.has(name))
    if (left === undefined) return
    const guess = nearest(left, [...this.#taken, ...this.#known])
    throw this.error(`there is no '${left}' here; ${guess ? `did you mean '${guess}'?` : 'leave it out'}`)
  }

  /** @param message  what is wrong, and what to do */
  error(message: string): UsageError {
    return new UsageError(`${this.where}: ${message}${/[.?]$/.test(message) ? '' : '.'}`)
  }

  #wrong(name: string, value: unknown, wanted: string): UsageError {
    return this.error(`${name} is ${value === undefined ? 'missing' : shown(value)}; give ${wanted}`)
  }
}
