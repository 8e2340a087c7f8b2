/** The page's end of the worker that makes slices: the newest request only, and no faster than coarse answers come back. */

import type { CodeBox } from '../contact-protocol.js'
import { type CodeSlice, isElsewhere } from './code-slice.js'
import type { FromSliceWorker, SliceAnswer, ToSliceWorker } from './slice-protocol.js'

/** Codes nearer than this share of the box give the same slice. */
const MOVED = 0.004

export interface SliceClientEvents {
  onSlice(answer: SliceAnswer): void
  onFailure(message: string): void
}

export class SliceClient {
  readonly #worker = new Worker(new URL('./slice-worker.ts', import.meta.url), { type: 'module' })
  #lastId = 0
  #asked: CodeSlice | undefined
  #waiting: CodeSlice | undefined
  #due = false

  constructor(
    file: { name: string; bytes: Uint8Array },
    private readonly box: CodeBox,
    events: SliceClientEvents,
  ) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromSliceWorker>) => {
      if (data.kind === 'failed') {
        events.onFailure(data.message)
        return
      }
      if (data.level === 'coarse') this.#due = false
      events.onSlice(data)
      this.#sendWaiting()
    }
    this.#worker.onerror = (event) => events.onFailure(event.message || 'studio: the worker did not start; reload.')
    this.#send({ kind: 'open', ...file })
  }

  /** Asks for the slice at a code unless it would look like the one that was asked for last. */
  follow(code: ArrayLike<number>, axes: CodeSlice['axes']): void {
    const slice: CodeSlice = { code: Float64Array.from(code), axes }
    if (this.#asked && !isElsewhere(slice, this.#asked, this.box, MOVED)) {
      this.#waiting = undefined
      return
    }
    this.#waiting = slice
    this.#sendWaiting()
  }

  dispose(): void {
    this.#worker.terminate()
  }

  #sendWaiting(): void {
    if (this.#due || !this.#waiting) return
    this.#due = true
    this.#asked = this.#waiting
    this.#waiting = undefined
    this.#send({ kind: 'slice', id: ++this.#lastId, slice: this.#asked })
  }

  #send(message: ToSliceWorker): void {
    this.#worker.postMessage(message)
  }
}
