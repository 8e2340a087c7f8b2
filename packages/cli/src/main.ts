/** From words to an exit code: finds the verb, parses its call, runs it, prints what came of it. */

import { printable } from 'pliant/unstable'
import { GENERAL_OPTIONS, parseArguments } from './arguments.js'
import { describeError, EXIT, exitCodeOf, isAbort, UsageError } from './errors.js'
import { listenForStop } from './interrupt.js'
import { nearest } from './nearest.js'
import { writeJsonError, writeReport } from './output.js'
import { createProgress, silentProgress } from './progress.js'
import { generalHelp, verbHelp } from './usage.js'
import type { Verb } from './verb.js'
import { verbs } from './verbs/index.js'
import { version } from './version.js'

/** Runs the command and ends the process with its exit code. */
export async function runMain(words: readonly string[]): Promise<void> {
  // A reader that closes early (`pliant presets | head -1`) has seen enough: no reason to complain.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed),
  )
  // A terminal that is gone (SIGHUP) must not keep a run from saving itself.
  process.stderr.on('error', () => {})
  // Exiting outright, because worker threads of an aborted run would keep the process alive.
  process.exit(await main(words))
}

/** @returns the exit code */
export async function main(words: readonly string[]): Promise<number> {
  const flags = new Set(words)
  const stop = listenForStop(() => {
    process.stderr.write('pliant: interrupted; the work did not end by itself, what was saved before is kept.\n')
  })
  const progress = flags.has('--quiet') ? silentProgress(process.stderr) : createProgress(process.stderr)
  try {
    const help = helpAskedFor(words)
    if (help !== undefined) {
      process.stdout.write(`${help}\n`)
      return EXIT.ok
    }
    const verb = findVerb(words[0])
    const args = parseArguments(verb, words.slice(1))
    const report = await verb.run({ args, progress, signal: stop.signal, unbroken: stop.unbroken })
    progress.done()
    await writeReport(report, args.has('json'))
    await report.until
    if (report.failed === undefined) return EXIT.ok
    process.stderr.write(`pliant: ${printable(report.failed)}\n`)
    return EXIT.failed
  } catch (error) {
    progress.done()
    const line = isAbort(error) && error instanceof Error && !error.message ? new Error('interrupted.') : error
    process.stderr.write(`${describeError(line, flags.has('--verbose'))}\n`)
    if (flags.has('--json')) await writeJsonError(describeError(line, false), exitCodeOf(error))
    return exitCodeOf(error)
  } finally {
    stop.end()
  }
}

/** The text to print if the words ask for help or the version, else undefined. */
function helpAskedFor(words: readonly string[]): string | undefined {
  const [first, second] = words
  if (first === '--version') return version
  if (first === '--help' || first === '-h') return generalHelp(verbs)
  if (first === 'help') return second === undefined ? generalHelp(verbs) : verbHelp(findVerb(second))
  if (first !== undefined && (words.includes('--help') || words.includes('-h'))) return verbHelp(findVerb(first))
  return undefined
}

/** @throws UsageError with the nearest verb */
function findVerb(name: string | undefined): Verb {
  if (name === undefined) throw new UsageError("needs a verb; 'pliant --help' lists them.")
  const found = verbs.find((verb) => verb.name === name)
  if (found) return found
  if (name.startsWith('-')) {
    const general = Object.hasOwn(GENERAL_OPTIONS, name.replace(/^-+/, ''))
    throw new UsageError(`${name} stands before the verb; ${general ? 'put it after' : "see 'pliant --help'"}.`)
  }
  const guess = nearest(
    name,
    verbs.map((verb) => verb.name),
  )
  throw new UsageError(
    `${name}: there is no such verb; ${guess ? `did you mean '${guess}'?` : "'pliant --help' lists them."}`,
  )
}
