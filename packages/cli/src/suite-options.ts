/** Options of verbs that run one of several suites: all that any of them takes, and a refusal of what this one does not. */
import type { OptionValues, Suite } from '@pliant/bench'
import type { Arguments } from './arguments.js'
import type { Option } from './declaration.js'
import { UsageError } from './errors.js'
import { MOTION_KEY, MOTION_OPTIONS } from './motions.js'

/** What a suite takes, in its own words. */
function optionsOf({ inputs }: Suite): Readonly<Record<string, Option>> {
  return { ...inputs.options, ...(inputs.readsMotions && MOTION_OPTIONS) }
}

/** Help of an option that suites describe alike is said once, after their names; `cloth and wind: ...; haptics: ...`. */
export function suiteOptions(suites: readonly Suite[]): Record<string, Option> {
  const merged: Record<string, Option> = {}
  for (const name of new Set(suites.flatMap((suite) => Object.keys(optionsOf(suite))))) {
    const takers = suites.filter((suite) => Object.hasOwn(optionsOf(suite), name))
    const byHelp = new Map<string, string[]>()
    for (const suite of takers) {
      const { help } = optionsOf(suite)[name]
      byHelp.set(help, [...(byHelp.get(help) ?? []), suite.name])
    }
    const help = [...byHelp].map(([text, names]) => `${listed(names)}: ${text}`).join('; ')
    merged[name] = { ...optionsOf(takers[0])[name], help }
  }
  return merged
}

/** The `--json` key that suites with motions have beside their result. */
export function motionsKey(suites: readonly Suite[]): Record<string, string> {
  const names = suites.filter(({ inputs }) => inputs.readsMotions).map(({ name }) => name)
  return names.length > 0 ? { motions: `${listed(names)}: what is played: ${MOTION_KEY}` } : {}
}

/**
 * What was given, of what the suite takes.
 * @param suites  all that the verb runs
 * @throws UsageError if something was given that is for others
 */
export function suiteValues(verb: string, suite: Suite, suites: readonly Suite[], args: Arguments): OptionValues {
  const own = optionsOf(suite)
  for (const name of Object.keys(suiteOptions(suites))) {
    if (!args.has(name) || Object.hasOwn(own, name)) continue
    const value = args.text(name) ?? 'given'
    const takers = suites.filter((other) => Object.hasOwn(optionsOf(other), name)).map((other) => other.name)
    throw new UsageError(`${verb}: --${name} is ${value}, but it is for ${listed(takers)} only; drop it.`)
  }
  const given = (name: string): string | undefined => args.text(name) ?? (args.has(name) ? '' : undefined)
  return Object.fromEntries(Object.keys(suite.inputs.options).map((name) => [name, given(name)]))
}

/** a, b and c */
function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ')
}
