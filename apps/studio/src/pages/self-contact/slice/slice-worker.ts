/** Makes slices of the space of codes off the main thread, and off the simulation's: a full one takes thousands of exact tests. */
import { type ContactBody, openContactBody } from '../contact-body.js'
import { type CodeSlice, placesOf, SIDE, sliceCodes } from './code-slice.js'
import { COARSE, ExactSlice } from './exact-slice.js'
import type { FromSliceWorker, SliceAnswer, ToSliceWorker } from './slice-protocol.js'

type Request = Extract<ToSliceWorker, { kind: 'slice' }>

/** Exact tests between two looks at the mail: some milliseconds. */
const TESTS_PER_LOOK = 96

/** The few members of a worker's global scope that are used; the DOM library types `self` as a window. */
const port = globalThis as unknown as {
  postMessage(message: FromSliceWorker, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToSliceWorker>) => void) | null
}

class Slicer {
  #newest: Request | undefined
  #busy = false

  constructor(private readonly body: ContactBody) {}

  ask(request: Request): void {
    this.#newest = request
    if (!this.#busy) this.#work().catch(fail)
  }

  async #work(): Promise<void> {
    this.#busy = true
    while (this.#newest) {
      const request: Request = this.#newest
      this.#newest = undefined
      await this.#answer(request)
    }
    this.#busy = false
  }

  /** A coarse slice is always finished: it keeps motion alive. What follows is given up for a newer request. */
  async #answer({ id, slice }: Request): Promise<void> {
    const { exact, artifact } = this.body
    const learned = this.#learned(slice)
    const made = new ExactSlice(exact, slice, artifact.model.bounds)
    const tell = (level: SliceAnswer['level'], stride: number): void => {
      const side = (SIDE - 1) / stride + 1
      port.postMessage({
        kind: 'slice',
        id,
        slice,
        level,
        learned: { values: learned, width: SIDE, height: SIDE },
        exact: { values: made.everyNth(stride), width: side, height: side },
        line: made.line(stride),
        tests: made.tests,
      })
    }
    made.ask(made.coarse())
    tell('coarse', COARSE)
    for (let stride = COARSE / 2; stride >= 1; stride /= 2) {
      if (!(await this.#ask(made, made.between(stride)))) return
    }
    tell('line', 1)
    if (await this.#ask(made, made.rest())) tell('full', 1)
  }

  /** @returns false if something newer was asked for meanwhile */
  async #ask(made: ExactSlice, nodes: readonly number[]): Promise<boolean> {
    for (let first = 0; first < nodes.length; first += TESTS_PER_LOOK) {
      await lookAtMail()
      if (this.#newest) return false
      made.ask(nodes.slice(first, first + TESTS_PER_LOOK))
    }
    return true
  }

  #learned(slice: CodeSlice): Float32Array {
    const { field, artifact } = this.body
    const nodes = Uint32Array.from({ length: SIDE * SIDE }, (_, node) => node)
    const codes = new Float64Array(nodes.length * slice.code.length)
    const distances = new Float32Array(nodes.length)
    sliceCodes(slice, artifact.model.bounds, placesOf(nodes), codes)
    field.query(codes, nodes.length, distances)
    return distances
  }
}

/** Lets a waiting message in; unlike a timer, a message to oneself is not held back by the browser. */
function lookAtMail(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

function fail(error: unknown): void {
  port.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}

let slicer: Promise<Slicer> | undefined

port.onmessage = ({ data }) => {
  if (data.kind === 'open') {
    slicer = openContactBody(data).then((body) => new Slicer(body))
    slicer.catch(fail)
  } else {
    slicer?.then((ready) => ready.ask(data)).catch(() => {})
  }
}
