/** The worker's end: opens what it is told to, and answers requests for time one after the other. */
import { type FromWorker, memoryOf, type Simulation, type ToWorker } from './protocol.js'

/** What a page shows, as its worker holds it. */
export interface Stage<S extends Simulation> {
  readonly opened: S['opened']
  set(settings: Partial<S['settings']>): void
  command(command: S['command']): void
  /**
   * @param spare buffers of an earlier frame, to be used again if they still fit
   * @throws Error if the simulation cannot go on
   */
  advance(steps: number, input: S['input'], spare: S['frame']['vertices'] | undefined): S['frame']
  dispose(): void
}

/** @param open makes a stage, or throws an Error in one line that says why it cannot */
export function hostSimulation<S extends Simulation>(
  open: (files: S['files'], settings: Partial<S['settings']>) => Promise<Stage<S>>,
): void {
  // The few members of a worker's global scope that are used; the DOM library types `self` as a window.
  const port = globalThis as unknown as {
    postMessage(message: FromWorker<S>, transfer?: Transferable[]): void
    onmessage: ((event: MessageEvent<ToWorker<S>>) => void) | null
  }
  let stage: Stage<S> | undefined

  async function answer(message: ToWorker<S>): Promise<void> {
    if (message.kind === 'open') {
      const opened = await open(message.files, message.settings)
      stage?.dispose()
      stage = opened
      port.postMessage({ kind: 'opened', opened: stage.opened })
    } else if (!stage) return
    else if (message.kind === 'set') stage.set(message.settings)
    else if (message.kind === 'command') stage.command(message.command)
    else {
      const frame = stage.advance(message.steps, message.input, message.spare)
      port.postMessage({ kind: 'frame', frame }, memoryOf(frame.vertices))
    }
  }

  port.onmessage = ({ data }) => {
    answer(data).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      port.postMessage({ kind: 'failed', message, opening: data.kind === 'open' })
    })
  }
}
