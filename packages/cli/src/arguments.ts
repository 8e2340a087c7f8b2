/** A verb's call, split by node:util's parseArgs and checked against the verb's declaration. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Declaration, Option } from './declaration.js'
import { UsageError } from './errors.js'
import { nearest } from './nearest.js'

/** Flags that every verb takes. */
export const GENERAL_OPTIONS: Readonly<Record<string, Option>> = {
  json: { help: 'print one JSON object on stdout instead of text' },
  quiet: { help: 'no progress on stderr' },
  verbose: { help: 'on an error, print the stack as well' },
  help: { help: 'print this help' },
}

/** The values of one call, each read with the check it needs. */
export class Arguments {
  constructor(
    private readonly verb: string,
    readonly operands: readonly string[],
    private readonly values: ReadonlyMap<string, string | true>,
  ) {}

  /** Whether a switch was given. */
  has(name: string): boolean {
    return this.values.has(name)
  }

  text(name: string): string | undefined {
    const value = this.values.get(name)
    return typeof value === 'string' ? value : undefined
  }

  /** The value of an option declared as required. */
  required(name: string): string {
    const value = this.text(name)
    if (value === undefined)
      throw new UsageError(`${this.verb}: --${name} is missing; see 'pliant ${this.verb} --help'.`)
    return value
  }

  /** @throws UsageError if the value is no finite number or lies outside [lower, upper] */
  number(name: string, range: { lower?: number; upper?: number } = {}): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const { lower = -Infinity, upper = Infinity } = range
    if (!Number.isFinite(value)) throw new UsageError(`${this.verb}: --${name} is '${text}'; pass a number.`)
    if (value < lower || value > upper) {
      throw new UsageError(`${this.verb}: --${name} is ${text}; pass a number ${describeRange(lower, upper)}.`)
    }
    return value
  }

  /** @throws UsageError if the value is no whole number or lies outside [lower, upper] */
  integer(name: string, range: { lower?: number; upper?: number } = {}): number | undefined {
    const value = this.number(name, range)
    if (value !== undefined && !Number.isSafeInteger(value)) {
      throw new UsageError(`${this.verb}: --${name} is ${this.text(name)}; pass a whole number.`)
    }
    return value
  }
}

/**
 * @param words  what stands after the verb
 * @throws UsageError for unknown, repeated, missing or surplus words
 */
export function parseArguments(verb: Declaration, words: readonly string[]): Arguments {
  const declared: Record<string, Option> = { ...verb.options, ...GENERAL_OPTIONS }
  const options: ParseArgsConfig['options'] = {}
  for (const [name, option] of Object.entries(declared)) options[name] = { type: option.value ? 'string' : 'boolean' }
  // Not strict: the tokens are checked here, so that every message names the remedy.
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true })

  const operands: string[] = []
  const values = new Map<string, string | true>()
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(declared, token.name) ? declared[token.name] : undefined
    if (!option) throw unknownFlag(verb, token.rawName, Object.keys(declared))
    const before = values.get(token.name)
    if (before !== undefined && option.joinedBy === undefined) {
      throw new UsageError(`${verb.name}: ${token.rawName} is given twice; keep one.`)
    }
    const value = checkedValue(verb, token.rawName, option, token.value, token.inlineValue === true)
    values.set(token.name, before === undefined ? value : `${before}${option.joinedBy}${value}`)
  }
  if (!values.has('help')) checkComplete(verb, operands, values)
  return new Arguments(verb.name, operands, values)
}

function checkedValue(verb: Declaration, flag: string, option: Option, value: string | undefined, inline: boolean) {
  if (!option.value) {
    if (value !== undefined) throw new UsageError(`${verb.name}: ${flag} takes no value but got '${value}'; drop it.`)
    return true
  }
  // `--points --out D.npy` is a forgotten value, not a file called --out; `--points=--out` says it on purpose.
  if (value === undefined || value === '' || (!inline && value.startsWith('--'))) {
    throw new UsageError(`${verb.name}: ${flag} has no value; write ${flag} ${option.value}.`)
  }
  if (option.choices && !option.choices.includes(value)) {
    throw new UsageError(`${verb.name}: ${flag} is '${value}'; choose one of ${option.choices.join(', ')}.`)
  }
  return value
}

function checkComplete(verb: Declaration, operands: readonly string[], values: ReadonlyMap<string, unknown>): void {
  const see = `see 'pliant ${verb.name} --help'.`
  const missing = verb.operands.slice(operands.length).find((operand) => !operand.optional)
  if (missing) throw new UsageError(`${verb.name}: ${missing.name} is missing (${missing.help}); ${see}`)
  if (operands.length > verb.operands.length) {
    const surplus = operands[verb.operands.length]
    throw new UsageError(`${verb.name}: '${surplus}' is one argument too many; ${see}`)
  }
  for (const [name, option] of Object.entries(verb.options)) {
    if (option.required && !values.has(name)) {
      throw new UsageError(`${verb.name}: --${name} ${option.value} is missing (${option.help}); ${see}`)
    }
  }
}

function unknownFlag(verb: Declaration, flag: string, known: string[]): UsageError {
  const guess = nearest(flag.replace(/^-+/, ''), known)
  const remedy = guess ? `did you mean --${guess}?` : `see 'pliant ${verb.name} --help'.`
  return new UsageError(`${verb.name}: there is no flag ${flag}; ${remedy}`)
}

function describeRange(lower: number, upper: number): string {
  if (lower === -Infinity) return `up to ${upper}`
  return upper === Infinity ? `from ${lower} up` : `from ${lower} to ${upper}`
}
