/** Ctrl-C and SIGTERM: the first asks the work to stop in order, the second ends the process at once. */
import { EXIT } from './errors.js'

export interface Stop {
  readonly signal: AbortSignal
  /** Runs work that never looks at the signal with the system's own handling of Ctrl-C back in place. */
  unbroken<T>(work: () => T): T
  /** Stops listening. */
  end(): void
}

export function listenForStop(): Stop {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort()
  }
  const listen = (): void => {
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  }
  const end = (): void => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  listen()
  return {
    signal: controller.signal,
    end,
    unbroken(work) {
      end()
      try {
        return work()
      } finally {
        listen()
      }
    },
  }
}
