import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SliceClient } from '../../../../src/pages/self-contact/slice/slice-client.js'
import type {
  FromSliceWorker,
  SliceAnswer,
  ToSliceWorker,
} from '../../../../src/pages/self-contact/slice/slice-protocol.js'

/** Stands in for the browser's worker: keeps what it is told and answers when the test says so. */
class RecordingWorker {
  static last: RecordingWorker
  readonly sent: ToSliceWorker[] = []
  onmessage: ((event: { data: FromSliceWorker }) => void) | undefined

  constructor() {
    RecordingWorker.last = this
  }

  postMessage(message: ToSliceWorker): void {
    this.sent.push(message)
  }

  answer(id: number, level: SliceAnswer['level']): void {
    const nodes = { values: new Float32Array(), width: 0, height: 0 }
    const slice = { code: Float64Array.of(0, 0, 0), axes: [0, 1] } as const
    const rest = { slice, learned: nodes, exact: nodes, line: new Float32Array(), tests: 0 }
    this.onmessage?.({ data: { kind: 'slice', id, level, ...rest } })
  }
}

const box = { lower: Float64Array.of(-1, -1, -1), upper: Float64Array.of(1, 1, 1) }
const events = { onSlice: vi.fn(), onFailure: vi.fn() }

describe('the page asking for slices', () => {
  beforeEach(() => vi.stubGlobal('Worker', RecordingWorker))
  afterEach(() => vi.unstubAllGlobals())

  const open = (): SliceClient => new SliceClient({ name: 'ring', bytes: new Uint8Array() }, box, events)
  const heights = (): number[] =>
    RecordingWorker.last.sent.flatMap((message) => (message.kind === 'slice' ? [message.slice.code[2]] : []))

  it('skips what was overtaken while a coarse answer was due', () => {
    const client = open()
    for (const height of [0.1, 0.2, 0.3]) client.follow([0, 0, height], [0, 1])
    expect(heights()).toEqual([0.1])
    RecordingWorker.last.answer(1, 'coarse')
    expect(heights()).toEqual([0.1, 0.3])
  })

  it('lets a slice become fine while the code moves along the axes only', () => {
    const client = open()
    client.follow([0, 0, 0.1], [0, 1])
    RecordingWorker.last.answer(1, 'coarse')
    for (const along of [0.2, 0.5, 0.9]) client.follow([along, -along, 0.1], [0, 1])
    expect(heights()).toEqual([0.1])
  })

  it('asks again for other axes', () => {
    const client = open()
    client.follow([0, 0, 0.1], [0, 1])
    RecordingWorker.last.answer(1, 'coarse')
    client.follow([0, 0, 0.1], [0, 2])
    expect(heights()).toEqual([0.1, 0.1])
  })

  it('hands on what failed', () => {
    open()
    RecordingWorker.last.onmessage?.({ data: { kind: 'failed', message: 'torn' } })
    expect(events.onFailure).toHaveBeenCalledWith('torn')
  })
})
