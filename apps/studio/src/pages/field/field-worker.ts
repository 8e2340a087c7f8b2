/** Answers slices off the main thread: exact distances take too long for a page that should move smoothly. */
import { decode, load, type ObjectArtifact, type TrainedField } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { COARSE_POINTS, FINE_POINTS, type FromWorker, type SliceAnswer, type ToWorker } from './field-protocol.js'
import { QueryTimer, TIMED_ROUNDS } from './query-timer.js'
import { sliceGrid, slicePoints } from './slice-plane.js'

type SliceRequest = Extract<ToWorker, { kind: 'slice' }>

/** Nodes between two looks at the mail: some 4 ms of exact distances. */
const NODES_PER_LOOK = 1000
/**
 * Rounds of timing after each finished slice: enough to replace all older ones, among them the slow first ones, whose
 * code was not compiled yet. In motion a round is taken this often [ms].
 */
const ROUNDS_AT_REST = TIMED_ROUNDS
const TIMING_INTERVAL_MS = 500

/** The few members of a worker's global scope that are used; the DOM library types `self` as a window. */
const port = globalThis as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null
}

class Answerer {
  readonly #positions: Float64Array
  readonly #exact: ExactMeshField
  readonly #timer: QueryTimer
  #newest: SliceRequest | undefined
  #busy = false
  #timedAt = 0

  constructor(
    private readonly artifact: ObjectArtifact,
    private readonly field: TrainedField,
  ) {
    const { model, manifest } = artifact
    this.#positions = new Float64Array(model.rest)
    this.#exact = new ExactMeshField({ positions: model.rest, triangles: model.triangles })
    this.#timer = new QueryTimer(field, this.#exact, model, manifest.truncation)
  }

  ask(request: SliceRequest): void {
    this.#newest = request
    if (!this.#busy) this.#work().catch(fail)
  }

  async #work(): Promise<void> {
    this.#busy = true
    while (this.#newest) {
      const request: SliceRequest = this.#newest
      this.#newest = undefined
      this.artifact.model.positions(request.code, this.#positions)
      this.#exact.update({ vertices: this.#positions })
      this.field.update(request)
      await this.#answer(request, 'coarse')
      if (performance.now() - this.#timedAt > TIMING_INTERVAL_MS) this.#time(request)
      if (!(await this.#answer(request, 'fine'))) continue
      for (let round = 0; round < ROUNDS_AT_REST && !this.#newest; round++) {
        await lookAtMail()
        this.#time(request)
      }
    }
    this.#busy = false
  }

  /** False if a fine slice was given up for a newer request. A coarse one is always finished: it keeps motion alive. */
  async #answer(request: SliceRequest, level: SliceAnswer['level']): Promise<boolean> {
    const grid = sliceGrid(
      this.artifact.manifest.networks.distance.domain,
      request.plane,
      level === 'fine' ? FINE_POINTS : COARSE_POINTS,
    )
    const count = grid.width * grid.height
    const learned = new Float32Array(count)
    const exact = new Float32Array(count)
    const rows = level === 'fine' ? Math.max(1, Math.floor(NODES_PER_LOOK / grid.width)) : grid.height
    const points = new Float32Array(3 * rows * grid.width)
    for (let row = 0; row < grid.height; row += rows) {
      const taken = Math.min(rows, grid.height - row)
      const start = row * grid.width
      slicePoints(grid, row, taken, points)
      this.#exact.query(points, taken * grid.width, exact.subarray(start))
      this.field.query(points, taken * grid.width, learned.subarray(start))
      if (level === 'coarse') continue
      await lookAtMail()
      if (this.#newest) return false
    }
    const answer: SliceAnswer = { kind: 'slice', id: request.id, level, grid, learned, exact }
    port.postMessage(answer, [learned.buffer, exact.buffer])
    return true
  }

  #time(request: SliceRequest): void {
    this.#timedAt = performance.now()
    port.postMessage({ kind: 'timing', ...this.#timer.round(request.code, this.#positions) })
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

async function openAnswerer(bytes: Uint8Array): Promise<Answerer> {
  const artifact = await decode(bytes, 'linear-modes', 'elastic-body')
  return new Answerer(artifact, await load(artifact))
}

let answerer: Promise<Answerer> | undefined

port.onmessage = ({ data }) => {
  if (data.kind === 'open') {
    answerer = openAnswerer(data.bytes)
    answerer.catch(fail)
  } else {
    answerer?.then((ready) => ready.ask(data)).catch(fail)
  }
}
