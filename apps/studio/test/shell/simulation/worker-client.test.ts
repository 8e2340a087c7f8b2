import { describe, expect, it, vi } from 'vitest'
import {
  type FromWorker,
  fittingBuffers,
  type Simulation,
  type ToWorker,
} from '../../../src/shell/simulation/protocol.js'
import { WorkerClient } from '../../../src/shell/simulation/worker-client.js'

interface Small extends Simulation {
  files: { name: string }
  settings: { speed: number }
  opened: { settings: { speed: number } }
  command: 'reset'
  input: number
  frame: { vertices: { body: Float32Array<ArrayBuffer> } }
}

/** Stands in for the browser's worker: keeps what it is told and answers when the test says so. */
class RecordingWorker {
  readonly sent: ToWorker<Small>[] = []
  onmessage: ((event: { data: FromWorker<Small> }) => void) | undefined
  onerror: ((event: { message: string }) => void) | undefined

  postMessage(message: ToWorker<Small>): void {
    this.sent.push(message)
  }

  frame(body: Float32Array<ArrayBuffer>): void {
    this.onmessage?.({ data: { kind: 'frame', frame: { vertices: { body } } } })
  }
}

function client() {
  const worker = new RecordingWorker()
  const events = { onOpened: vi.fn(), onFrame: vi.fn(), onFailure: vi.fn() }
  return { worker, events, client: new WorkerClient<Small>(worker as unknown as Worker, events) }
}

describe('the page asking its worker for time', () => {
  it('is not free until it has been answered', () => {
    const { worker, client: asking } = client()
    asking.advance(1, 7)
    expect(asking.free).toBe(false)
    worker.frame(new Float32Array(3))
    expect(asking.free).toBe(true)
  })

  it('gives buffers back that are no longer on show, and only those', () => {
    const { worker, client: asking } = client()
    const [first, second] = [new Float32Array(3), new Float32Array(3)]
    asking.advance(1, 0)
    worker.frame(first)
    asking.advance(1, 0)
    expect(worker.sent.at(-1)).toMatchObject({ spare: undefined })
    worker.frame(second)
    asking.advance(1, 0)
    expect((worker.sent.at(-1) as { spare: { body: Float32Array } }).spare.body).toBe(first)
  })

  it('asks again after a step that threw, but goes on waiting while something else fails to open', () => {
    const { worker, events, client: asking } = client()
    asking.advance(1, 0)
    worker.onmessage?.({ data: { kind: 'failed', message: 'no body', opening: true } })
    expect(asking.free).toBe(false)
    worker.onmessage?.({ data: { kind: 'failed', message: 'no vertex', opening: false } })
    expect(asking.free).toBe(true)
    expect(events.onFailure.mock.calls).toEqual([
      ['no body', true],
      ['no vertex', false],
    ])
  })

  it('tells of a worker that did not start', () => {
    const { worker, events } = client()
    worker.onerror?.({ message: '' })
    expect(events.onFailure).toHaveBeenCalledWith(expect.stringMatching(/^studio: the worker did not start; /), false)
  })
})

describe('buffers', () => {
  it('are used again only if all of them fit', () => {
    const spare = { body: new Float32Array(3), cloth: new Float32Array(6) }
    expect(fittingBuffers(spare, { body: 3, cloth: 6 })).toBe(spare)
    const fresh = fittingBuffers(spare, { body: 3, cloth: 9 })
    expect([fresh.body.length, fresh.cloth.length]).toEqual([3, 9])
  })
})
