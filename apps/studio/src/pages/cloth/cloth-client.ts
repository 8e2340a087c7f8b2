/** The page's end of the worker: one request for time at a time, and the newest settings before the next. */
import type { ClothSettings, Dressed, Frame, FrameBuffers, FromWorker, Opened, ToWorker } from './cloth-protocol.js'

export interface ClothClientEvents {
  onOpened(opened: Opened): void
  onDressed(dressed: Dressed): void
  onFrame(frame: Frame): void
  onFailure(message: string, opening: boolean): void
}

export class ClothClient {
  readonly #worker = new Worker(new URL('./cloth-worker.ts', import.meta.url), { type: 'module' })
  #due = false
  /** The frame on show keeps its buffers; those of the one before it go back to the worker. */
  #shown: FrameBuffers | undefined
  #spare: FrameBuffers | undefined

  constructor(events: ClothClientEvents) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'opened') events.onOpened(data)
      else if (data.kind === 'dressed') events.onDressed(data)
      else if (data.kind === 'failed') {
        this.#due = false
        events.onFailure(data.message, data.opening)
      } else {
        this.#due = false
        this.#spare = this.#shown
        this.#shown = { body: data.body, cloth: data.cloth }
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

  open(collider: Uint8Array, rig: Uint8Array, settings: Partial<ClothSettings>): void {
    this.#send({ kind: 'open', collider, rig, settings })
  }

  set(settings: Partial<ClothSettings>): void {
    this.#send({ kind: 'set', settings })
  }

  dress(): void {
    this.#send({ kind: 'dress' })
  }

  advance(steps: number): void {
    this.#due = true
    const buffers = this.#spare
    this.#spare = undefined
    this.#send({ kind: 'advance', steps, buffers }, buffers && [buffers.body.buffer, buffers.cloth.buffer])
  }

  dispose(): void {
    this.#worker.terminate()
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer)
  }
}
