/** A verb: what it says of itself, and what it does. */
import type { Arguments } from './arguments.js'
import type { Declaration } from './declaration.js'
import type { Report } from './output.js'
import type { Progress } from './progress.js'

/** One call of a verb, parsed and checked against its declaration. */
export interface Call {
  readonly args: Arguments
  /** Fires at the first Ctrl-C, SIGTERM or SIGHUP. Work longer than a blink looks at it. */
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Runs work that never looks at the signal, so that Ctrl-C ends the process as it would by default; see interrupt.ts. */
  unbroken<T>(work: () => T): T
}

export interface Verb extends Declaration {
  run(call: Call): Promise<Report>
}
