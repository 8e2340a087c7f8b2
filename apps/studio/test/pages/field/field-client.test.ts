import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FieldClient } from '../../../src/pages/field/field-client.js'
import type { FromWorker, SliceAnswer, ToWorker } from '../../../src/pages/field/field-protocol.js'
import { type SlicePlane, sliceGrid } from '../../../src/pages/field/slice-plane.js'

/** Stands in for the browser's worker: keeps what it is told and answers when the test says so. */
class RecordingWorker {
  static last: RecordingWorker
  readonly sent: ToWorker[] = []
  onmessage: ((event: { data: FromWorker }) => void) | undefined

  constructor() {
    RecordingWorker.last = this
  }

  postMessage(message: ToWorker): void {
    this.sent.push(message)
  }

  answer(id: number, level: SliceAnswer['level']): SliceAnswer {
    const grid = sliceGrid({ lower: [0, 0, 0], upper: [1, 1, 1] }, plane, 4)
    const data: SliceAnswer = { kind: 'slice', id, level, grid, learned: new Float32Array(), exact: new Float32Array() }
    this.onmessage?.({ data })
    return data
  }
}

const plane: SlicePlane = { axis: 2, at: 0 }
const events = { onSlice: vi.fn(), onTiming: vi.fn(), onFailure: vi.fn() }

describe('the page asking its worker', () => {
  beforeEach(() => vi.stubGlobal('Worker', RecordingWorker))
  afterEach(() => vi.unstubAllGlobals())

  const codes = (): number[] => RecordingWorker.last.sent.flatMap((m) => (m.kind === 'slice' ? [m.code[0]] : []))

  it('skips what was overtaken while an answer was due', () => {
    const client = new FieldClient(new Uint8Array(), events)
    for (const code of [1, 2, 3]) client.ask([code], plane)
    expect(codes()).toEqual([1])
    RecordingWorker.last.answer(1, 'coarse')
    expect(codes()).toEqual([1, 3])
  })

  it('asks at once during the fine pass, which the worker gives up', () => {
    const client = new FieldClient(new Uint8Array(), events)
    client.ask([1], plane)
    RecordingWorker.last.answer(1, 'coarse')
    client.ask([2], plane)
    expect(codes()).toEqual([1, 2])
  })

  it('knows an answer that was overtaken from the newest', () => {
    const client = new FieldClient(new Uint8Array(), events)
    client.ask([1], plane)
    client.ask([2], plane)
    const first = RecordingWorker.last.answer(1, 'coarse')
    expect(client.isNewest(first)).toBe(false)
    expect(client.isNewest(RecordingWorker.last.answer(2, 'fine'))).toBe(true)
  })

  it('sends codes as they were when asked', () => {
    const client = new FieldClient(new Uint8Array(), events)
    const code = Float64Array.of(1)
    client.ask(code, plane)
    code[0] = 9
    expect(codes()).toEqual([1])
  })
})
