/**
 * What can go wrong, sorted by exit code. The rule (docs/cli.md repeats it):
 *   2    the call was wrong: a flag, a missing or malformed file, a wrong shape or kind, a place that cannot be written
 *   1    the call was right and the run failed: a full disk, a missed quality gate, an engine that does not load
 *   130  stopped by Ctrl-C, SIGTERM or SIGHUP; a training run has saved its checkpoint
 */
import { BadInput } from '@pliant/train/unstable/input'
import { printable, printableLines } from 'pliant/unstable'

export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** The call was wrong; the message says which value and what to do. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The call was right, the run was not. */
export class FailedRun extends Error {
  override name = 'FailedRun'
}

/** Stopped from outside before the work was done. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/**
 * Runs a reader over what the user handed in: whatever it throws is the input's fault, not the run's.
 * @param path  the file, if there is one and the reader saw only its bytes; the trainer's own refusals name it themselves
 * @throws UsageError with the reader's own words
 */
export async function asBadInput<T>(read: () => T | Promise<T>, path?: string): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UsageError || isAbort(error)) throw error
    throw new UsageError(
      path === undefined || error instanceof BadInput ? firstLine(error) : `${path}: ${firstLine(error)}`,
      { cause: error },
    )
  }
}

/** @throws Interrupted once the signal has fired */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted('interrupted; nothing was written.')
}

export function isAbort(error: unknown): boolean {
  return error instanceof Interrupted || (error instanceof Error && error.name === 'AbortError')
}

export function exitCodeOf(error: unknown): number {
  if (isAbort(error)) return EXIT.interrupted
  return error instanceof UsageError || error instanceof BadInput ? EXIT.usage : EXIT.failed
}

/** One line for the terminal; with `verbose` the stack and its causes too, for a bug report. */
export function describeError(error: unknown, verbose: boolean): string {
  const line = `pliant: ${firstLine(error)}`
  if (!verbose || !(error instanceof Error)) return line
  const causes: string[] = []
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    causes.push(cause.stack ?? cause.message)
  return printableLines([line, ...causes].join('\n'))
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return printable(message.split('\n', 1)[0])
}
