/** The page's end of the worker: one request for time at a time, and the newest pose with each. */
import type {
  Frame,
  FrameBuffers,
  FromWorker,
  HapticsSettings,
  NamedBytes,
  Opened,
  ToolPose,
  ToWorker,
} from './haptics-protocol.js'

export interface HapticsClientEvents {
  onOpened(opened: Opened): void
  onFrame(frame: Frame): void
  /** @param opening  or the simulation has stopped until it is reset */
  onFailure(message: string, opening: boolean): void
}

export class HapticsClient {
  readonly #worker = new Worker(new URL('./haptics-worker.ts', import.meta.url), { type: 'module' })
  #due = false
  /** The frame on show keeps its buffers; those of the one before it go back to the worker. */
  #shown: FrameBuffers | undefined
  #spare: FrameBuffers | undefined

  constructor(events: HapticsClientEvents) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'opened') events.onOpened(data)
      else if (data.kind === 'failed') {
        this.#due = false
        events.onFailure(data.message, data.opening)
      } else {
        this.#due = false
        this.#spare = this.#shown
        this.#shown = { body: data.body, tool: data.tool }
        events.onFrame(data)
      }
    }
    this.#worker.onerror = (event) => {
      events.onFailure(event.message || 'studio: the worker did not start; reload.', false)
    }
  }

  /** Whether the last request for time has been answered. */
  get free(): boolean {
    return !this.#due
  }

  open(body: NamedBytes, tool: NamedBytes, settings: Partial<HapticsSettings>): void {
    this.#send({ kind: 'open', body, tool, settings })
  }

  set(settings: Partial<HapticsSettings>): void {
    this.#send({ kind: 'set', settings })
  }

  reset(): void {
    this.#send({ kind: 'reset' })
  }

  play(on: boolean): void {
    this.#send({ kind: 'play', on })
  }

  advance(steps: number, pose: ToolPose): void {
    this.#due = true
    const buffers = this.#spare
    this.#spare = undefined
    this.#send({ kind: 'advance', steps, pose, buffers }, buffers && [buffers.body.buffer, buffers.tool.buffer])
  }

  dispose(): void {
    this.#worker.terminate()
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer)
  }
}
