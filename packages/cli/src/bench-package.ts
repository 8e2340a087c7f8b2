/** The suites behind `bench` and `reproduce`. Their package is an optional one, which an installation may lack. */
import type { Suite } from '@pliant/bench'
import { UsageError } from './errors.js'

const NAME = '@pliant/bench'

const bench = await import('@pliant/bench').catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${NAME}'`)) return undefined
  throw error
})

/** None without the package. */
export const suites: readonly Suite[] = bench?.suites ?? []

const MISSING = `its package ${NAME} is not installed; run 'npm install ${NAME}'`

/** Help of the operand that names one of them. */
export function suitesHelp(among: readonly { name: string; summary: string }[]): string {
  return bench ? among.map(({ name, summary }) => `${name}: ${summary}`).join('; ') : MISSING
}

/** @throws UsageError without the package */
export function requireBench(verb: string): NonNullable<typeof bench> {
  if (bench) return bench
  throw new UsageError(`${verb}: ${MISSING}.`)
}

/** @throws UsageError if there is none of that name */
export function findSuite<S extends Suite>(verb: string, noun: string, name: string, among: readonly S[]): S {
  requireBench(verb)
  const found = among.find((suite) => suite.name === name)
  if (found) return found
  const names = among.map((suite) => suite.name).join(', ')
  throw new UsageError(`${verb}: there is no ${noun} '${name}'; choose one of ${names}.`)
}
