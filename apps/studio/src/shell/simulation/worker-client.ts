/** The page's end of the worker: one request for time at a time, and the newest settings before the next. */
import { type FromWorker, memoryOf, type Simulation, type ToWorker } from './protocol.js'

export interface WorkerClientEvents<S extends Simulation> {
  onOpened(opened: S['opened']): void
  onFrame(frame: S['frame']): void
  /** @param opening or the simulation has stopped */
  onFailure(message: string, opening: boolean): void
}

export class WorkerClient<S extends Simulation> {
  readonly #worker: Worker
  #due = false
  /** The frame on show keeps its buffers; those of the one before it go back to the worker. */
  #shown: S['frame']['vertices'] | undefined
  #spare: S['frame']['vertices'] | undefined

  constructor(worker: Worker, events: WorkerClientEvents<S>) {
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<FromWorker<S>>) => {
      if (data.kind === 'opened') {
        events.onOpened(data.opened)
        return
      }
      if (data.kind === 'failed') {
        if (!data.opening) this.#due = false
        events.onFailure(data.message, data.opening)
        return
      }
      this.#due = false
      this.#spare = this.#shown
      this.#shown = data.frame.vertices
      events.onFrame(data.frame)
    }
    worker.onerror = (event) => {
      events.onFailure(event.message || 'studio: the worker did not start; reload the page.', false)
    }
  }

  /** Whether the last request for time has been answered. */
  get free(): boolean {
    return !this.#due
  }

  open(files: S['files'], settings: Partial<S['settings']>): void {
    this.#send({ kind: 'open', files, settings })
  }

  set(settings: Partial<S['settings']>): void {
    this.#send({ kind: 'set', settings })
  }

  command(command: S['command']): void {
    this.#send({ kind: 'command', command })
  }

  advance(steps: number, input: S['input']): void {
    this.#due = true
    const spare = this.#spare
    this.#spare = undefined
    this.#send({ kind: 'advance', steps, input, spare }, memoryOf(spare))
  }

  dispose(): void {
    this.#worker.terminate()
  }

  #send(message: ToWorker<S>, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer)
  }
}
