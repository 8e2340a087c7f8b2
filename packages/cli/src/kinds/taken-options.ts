/** Options of `pliant evaluate` that are not for every kind. */
import type { Artifact } from 'pliant'
import type { Arguments } from '../arguments.js'
import { UsageError } from '../errors.js'
import { allCommands, KINDS, type Kinds, listText, manyWith } from './index.js'
import type { EvaluateCommand, KindCommands } from './kind-commands.js'

/**
 * Options that other kinds take and this one does not.
 * @throws UsageError in one line naming the kinds that they are for
 */
export function requireTaken(
  args: Pick<Arguments, 'has'>,
  { options }: Pick<EvaluateCommand<Artifact>, 'options'>,
  kinds: Kinds = KINDS,
): void {
  const takes = (name: string, { evaluate }: KindCommands): boolean => evaluate?.options.includes(name) ?? false
  const others = new Set(allCommands(kinds).flatMap(({ evaluate }) => evaluate?.options ?? []))
  const foreign = [...others].filter((name) => !options.includes(name))
  const given = foreign.find((name) => args.has(name))
  if (given === undefined) return
  const able = (name: string): string => manyWith((kind) => takes(name, kind), kinds)
  const alike = foreign.filter((name) => able(name) === able(given)).map((name) => `--${name}`)
  const [are, them] = alike.length > 1 ? ['are', 'them'] : ['is', 'it']
  throw new UsageError(`evaluate: ${listText(alike, 'and')} ${are} for ${able(given)}; leave ${them} out.`)
}
