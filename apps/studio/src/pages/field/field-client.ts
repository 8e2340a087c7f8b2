/** The page's end of the worker: sends the newest request only, and no faster than coarse answers come back. */
import type { FromWorker, SliceAnswer, ToWorker } from './field-protocol.js'
import type { SlicePlane } from './slice-plane.js'

export interface FieldClientEvents {
  onSlice(answer: SliceAnswer): void
  onTiming(learnedMs: number, exactMs: number): void
  onFailure(message: string): void
}

export class FieldClient {
  readonly #worker = new Worker(new URL('./field-worker.ts', import.meta.url), { type: 'module' })
  #lastId = 0
  #waiting: { code: Float64Array; plane: SlicePlane } | undefined
  #coarseDue = false

  constructor(bytes: Uint8Array, events: FieldClientEvents) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'failed') events.onFailure(data.message)
      else if (data.kind === 'timing') events.onTiming(data.learnedMs, data.exactMs)
      else {
        if (data.level === 'coarse') this.#coarseDue = false
        events.onSlice(data)
        this.#sendWaiting()
      }
    }
    this.#worker.onerror = (event) => events.onFailure(event.message || 'studio: the worker did not start; reload.')
    this.#send({ kind: 'open', bytes })
  }

  /** Whether an answer belongs to the newest request, rather than to one that was overtaken. */
  isNewest(answer: SliceAnswer): boolean {
    return answer.id === this.#lastId && !this.#waiting
  }

  ask(code: ArrayLike<number>, plane: SlicePlane): void {
    this.#waiting = { code: Float64Array.from(code), plane: { ...plane } }
    this.#sendWaiting()
  }

  dispose(): void {
    this.#worker.terminate()
  }

  #sendWaiting(): void {
    if (this.#coarseDue || !this.#waiting) return
    this.#coarseDue = true
    this.#send({ kind: 'slice', id: ++this.#lastId, ...this.#waiting })
    this.#waiting = undefined
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}
