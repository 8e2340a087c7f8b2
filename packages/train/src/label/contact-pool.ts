/**
 * Exact signs of many codes, and points of the boundary between free and touching ones, over worker threads. Each worker
 * holds the shape; answers are the same for any number of workers.
 */
import type { Random } from 'pliant'
import { joinedArrays } from 'pliant/unstable'
import { inOrder, WorkerPool } from '../pool/index.js'
import { uniformCodes } from '../sample/uniform-codes.js'
import type { AskedClearances, Clearances, clearanceTasks } from './clearance-tasks.js'
import type { ContactLabels } from './contact-labels.js'
import type { Crossings, contactTasks } from './contact-tasks.js'
import type { DepthLabels } from './depth-labels.js'
import type { depthTasks } from './depth-tasks.js'
import type { frameTasks } from './frame-tasks.js'

export interface ContactPoolOptions {
  /** Worker threads; by default one per core. */
  threads?: number
  /** Ends all work at once; it rejects with the signal's reason. */
  signal?: AbortSignal
}

/** What is labelled, and who does it. */
export interface ContactSource {
  /** Box of the codes. */
  bounds: ContactLabels['bounds']
  /** A module whose `tasks(start)` are those of `contactTasks`. */
  task: URL
  /** What a worker begins with. */
  start: object
  /** Codes as they come in use; left out, evenly from the box. */
  draw?: ContactLabels['draw']
  /** What to give where codes tell nothing, the beginning of a sentence. */
  advice?: string
  /** Entries of the code that are each domain's own, of shapes that have domains. */
  domains?: DepthLabels['domains']
}

/** Clearances are asked only of those whose shapes have parts, depths of those that have domains, frames of patches. */
type AllTasks = ReturnType<typeof contactTasks> &
  ReturnType<typeof clearanceTasks> &
  ReturnType<typeof depthTasks> &
  ReturnType<typeof frameTasks>

/** Codes that a worker takes at a time: some tenths of a second. */
const CHUNK = 256
/** The same where each takes a hundred tests. */
const NEAREST_CHUNK = 8

export class ContactPool implements ContactLabels, DepthLabels {
  readonly codeSize: number
  readonly domains: DepthLabels['domains']
  readonly advice: string
  readonly bounds: ContactLabels['bounds']
  readonly testsPerPoint = { between: 19, along: 9 }
  private readonly workers: WorkerPool<{ tasks: (start: object) => AllTasks }>

  /** @throws RangeError if `threads` is not a whole number above 0 */
  constructor(
    private readonly source: ContactSource,
    { threads, signal }: ContactPoolOptions = {},
  ) {
    const { bounds, task, start } = source
    this.codeSize = bounds.lower.length
    this.bounds = bounds
    this.domains = source.domains ?? []
    this.advice = source.advice ?? 'Give another shape'
    const options = { name: 'self-contact', threads, start, tasksPerWorker: 2, signal }
    this.workers = new WorkerPool(task, options)
  }

  draw(count: number, random: Random): Float32Array {
    return this.source.draw?.(count, random) ?? uniformCodes(this.bounds, count, random)
  }

  /**
   * @param onDone  told how many of the codes are done, as they are
   * @returns 1 for a free code, -1 for one that touches itself
   */
  async signs(codes: Float32Array, onDone?: (count: number) => void): Promise<Int8Array> {
    const out = new Int8Array(codes.length / this.codeSize)
    let done = 0
    for await (const signs of this.chunks(out.length, (rows) => this.workers.run('signs', { codes: rows(codes) }))) {
      out.set(signs, done)
      done += signs.length
      onDone?.(done)
    }
    return out
  }

  /** Points of the boundary on the ways from free codes to touching ones. */
  between(free: Float32Array, touching: Float32Array): Promise<Crossings> {
    const run = (rows: Rows) => this.workers.run('between', { free: rows(free), touching: rows(touching) })
    return joined(this.chunks(free.length / this.codeSize, run))
  }

  /** Points of the boundary near codes, looked for along unit directions that should lead towards free ones. */
  along(codes: Float32Array, directions: Float32Array): Promise<Crossings> {
    const run = (rows: Rows) => this.workers.run('along', { codes: rows(codes), directions: rows(directions) })
    return joined(this.chunks(codes.length / this.codeSize, run))
  }

  /**
   * Signed distances, in the space of codes, to the boundary between free and touching ones.
   * @param starts   points of it to begin with, equally many for each code, with their normals
   */
  async nearest(codes: Float32Array, starts: Float32Array, normals: Float32Array): Promise<Float32Array> {
    const each = starts.length / codes.length
    const out = new Float32Array(codes.length / this.codeSize)
    let done = 0
    const size = this.codeSize
    const chunks = inOrder(Math.ceil(out.length / NEAREST_CHUNK), 2 * this.workers.threads, (chunk) => {
      const rows = (values: Float32Array, times: number): Float32Array =>
        values.slice(chunk * NEAREST_CHUNK * size * times, (chunk + 1) * NEAREST_CHUNK * size * times)
      const asked = { codes: rows(codes, 1), starts: rows(starts, each), normals: rows(normals, each) }
      return this.workers.run('nearest', asked)
    })
    for await (const distances of chunks) {
      out.set(distances, done)
      done += distances.length
    }
    return out
  }

  /** Pairs of parts that clearances may be asked of, two numbers each, and how far they are told [m]. */
  async pairsOfParts(): Promise<{ pairs: Uint16Array; reach: number }> {
    return this.workers.run('allPairs', undefined)
  }

  /** How far parts are apart at codes. @param onDone  told how many of the codes are done, as they are */
  async clearances({ codes, ...asked }: AskedClearances, onDone?: (count: number) => void): Promise<Clearances> {
    const all: Clearances[] = []
    const count = codes.length / this.codeSize
    const run = (rows: Rows) => this.workers.run('clearances', { codes: rows(codes), ...asked })
    for await (const part of this.chunks(count, run)) {
      all.push(part)
      onDone?.(Math.min(count, all.length * CHUNK))
    }
    return {
      values: joinedArrays(Float32Array, all, ({ values }) => values),
      triangles: joinedArrays(Uint32Array, all, ({ triangles }) => triangles),
      weights: joinedArrays(Float32Array, all, ({ weights }) => weights),
    }
  }

  /** Where patches are at codes, twelve numbers each. @param onDone  told how many of the codes are done, as they are */
  frames(codes: Float32Array, onDone?: (count: number) => void): Promise<Float32Array> {
    return this.#rowsOf('frames', codes, onDone)
  }

  /** How deep each domain is in the rest of the shape [m]. @param onDone  told how many of the codes are done, as they are */
  depths(codes: Float32Array, onDone?: (count: number) => void): Promise<Float32Array> {
    return this.#rowsOf('depths', codes, onDone)
  }

  /** Some numbers for each code, one after the other. */
  async #rowsOf(
    task: 'frames' | 'depths',
    codes: Float32Array,
    onDone?: (count: number) => void,
  ): Promise<Float32Array> {
    const count = codes.length / this.codeSize
    const all: Float32Array[] = []
    for await (const part of this.chunks(count, (rows) => this.workers.run(task, { codes: rows(codes) }))) {
      all.push(part)
      onDone?.(Math.min(count, all.length * CHUNK))
    }
    return joinedArrays(Float32Array, all, (part) => part)
  }

  /** Ends the workers; what is under way rejects. */
  dispose(): Promise<void> {
    return this.workers.dispose()
  }

  private chunks<Result>(count: number, run: (rows: Rows) => Promise<Result>): AsyncGenerator<Result> {
    const size = this.codeSize
    return inOrder(Math.ceil(count / CHUNK), 2 * this.workers.threads, (chunk) =>
      run((values) => values.slice(chunk * CHUNK * size, Math.min(count, (chunk + 1) * CHUNK) * size)),
    )
  }
}

/** The share of a chunk in values of all codes. */
type Rows = (values: Float32Array) => Float32Array

async function joined(parts: AsyncGenerator<Crossings>): Promise<Crossings> {
  const all: Crossings[] = []
  for await (const part of parts) all.push(part)
  return {
    codes: joinedArrays(Float32Array, all, ({ codes }) => codes),
    normals: joinedArrays(Float32Array, all, ({ normals }) => normals),
    triangles: joinedArrays(Uint32Array, all, ({ triangles }) => triangles),
    weights: joinedArrays(Float32Array, all, ({ weights }) => weights),
    tests: all.reduce((sum, { tests }) => sum + tests, 0),
  }
}
