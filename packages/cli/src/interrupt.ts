/**
 * Ctrl-C, SIGTERM and SIGHUP (a terminal that was closed): the first asks the work to stop in order, the second ends
 * the process at once. So does time: who asked once must not have to ask again because nobody looks at the signal.
 */
import { EXIT } from './errors.js'

export interface Stop {
  readonly signal: AbortSignal
  /**
   * Runs work that never looks at the signal, or does not come to it for long, with the system's own handling back in
   * place: then the first signal ends the process. A promise counts until it is settled.
   */
  unbroken<T>(work: () => T): T
  /** Stops listening. */
  end(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long work may take to stop in order [ms]: a checkpoint is written in one or two seconds. */
const PATIENCE = 10_000

/** @param onImpatience  called before the process is ended because the work did not stop */
export function listenForStop(onImpatience: () => void = () => {}, patience = PATIENCE): Stop {
  const controller = new AbortController()
  let waiting: NodeJS.Timeout | undefined
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort()
    waiting = setTimeout(() => {
      onImpatience()
      process.exit(EXIT.interrupted)
    }, patience)
  }
  const listen = (): void => {
    for (const name of SIGNALS) process.on(name, onSignal)
  }
  const ignore = (): void => {
    for (const name of SIGNALS) process.off(name, onSignal)
  }
  listen()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(waiting)
      ignore()
    },
    unbroken(work) {
      ignore()
      let result: ReturnType<typeof work> | undefined
      try {
        result = work()
      } finally {
        if (!(result instanceof Promise)) listen()
      }
      return (result instanceof Promise ? result.finally(listen) : result) as ReturnType<typeof work>
    },
  }
}
