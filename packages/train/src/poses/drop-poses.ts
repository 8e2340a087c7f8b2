/**
 * Poses of a volumetric body to train on: dropped again and again onto a ground with spheres of random sizes
 * (Zesch et al. 2022, section 3.1.1), in worker threads. Runs depend on seed and number alone and are looked at in their
 * order, so the poses are the same for any number of threads, and a caller that keeps finished runs goes on where it was
 * stopped. Left out: poses with inverted tetrahedra, and shapes that were there before.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { TetMesh } from 'pliant'
import { FemBody } from 'pliant/sim'
import { DistinctPoses } from './drop-distinct.js'
import { type DropOptions, type DropSettings, dropSettings } from './drop-options.js'
import type { DropRun } from './drop-run.js'
import type { DropWorkerStart, FromDropWorker } from './drop-worker.js'

export interface DropPoseOptions extends DropOptions {
  /** How many poses. */
  poses: number
  /** Shapes are the same if they differ by less than this part of the size, root mean square without rigid motion. */
  duplicate?: number
  /** Whether poses whose surface passes through itself are kept; they have hidden distances, and bodies at run time have them too. */
  crossing?: 'keep' | 'leave-out'
  /** Poses to take from each run, spread over its snapshots, others from the next; all of them if not given. */
  perRun?: number
  /** Whether poses with inverted tetrahedra are handed over too, apart from the others. */
  keepInverted?: boolean
  /** Worker threads; by default one per core. */
  threads?: number
  /** Stops at once; the promise then rejects with the signal's reason. Runs told to `onRun` are finished. */
  signal?: AbortSignal
  /** Asked after every run whether time is up: what is there must do then, though no fewer than the fewest. */
  timeIsUp?: () => boolean
  /** Runs after which to be content with fewer poses, if there are any. */
  runs?: number
  /** Poses without which time is never up. */
  fewest?: number
  /** @param fraction of the poses that are there, those of unfinished runs counted in */
  onProgress?: (fraction: number) => void
  /** Receives every run that was simulated, not in order: keep them to go on later. */
  onRun?: (run: DropRun) => void
  /** A run that is known from before, or undefined. Must be of the same mesh and options. */
  finished?: (run: number) => DropRun | undefined
}

export const DROP_POSE_DEFAULTS = { duplicate: 0.002, crossing: 'keep', fewest: 24 } as const

/** What became of the drops. */
export interface DropReport {
  /** Poses that were kept. */
  count: number
  /** Runs looked at. */
  runs: number
  /** Poses left out because of inverted tetrahedra, and how many of these there were. */
  inverted: { poses: number; tetrahedra: number }
  /** Poses left out because there was one like it. */
  dropped: number
  /** Poses whose surface passes through itself, kept or left out. */
  crossing: number
  /** Steps that did not converge: their poses are shapes all the same, if rarer ones. */
  unconverged: number
}

export interface DropPoses extends DropReport {
  /** Node positions [m] of all poses, count x nodes x 3; where the drops left them, not aligned. */
  positions: Float32Array
  /** The run that each came from. */
  runOf: Uint32Array
  /** How many pairs of its surface's triangles cross. */
  crossingsOf: Uint32Array
  /** Poses with inverted tetrahedra, if they were asked for; no more than poses were. */
  turned?: { count: number; positions: Float32Array; runOf: Uint32Array }
}

/** What became of the drops, without the poses. */
export function dropReport({ count, runs, inverted, dropped, crossing, unconverged }: DropPoses): DropReport {
  return { count, runs, inverted, dropped, crossing, unconverged }
}

/** Runs are given up after this many times those that would do if every pose were new. */
const PATIENCE = 4

/**
 * @returns the poses; fewer than asked for if runs gave nothing new for long
 * @throws RangeError if an option is out of range or the mesh cannot be simulated; the reason of an aborted signal
 */
export async function makeDropPoses(mesh: TetMesh, options: DropPoseOptions): Promise<DropPoses> {
  const settings = dropSettings(mesh, options)
  const { poses, duplicate, crossing, threads, perRun, keepInverted, fewest } = {
    ...DROP_POSE_DEFAULTS,
    threads: availableParallelism(),
    perRun: settings.snapshots,
    keepInverted: false,
    ...definedOnly(options),
  }
  requireWhole('poses', poses, 0)
  requireWhole('threads', threads, 1)
  requireWhole('perRun', perRun, 1)
  options.signal?.throwIfAborted()
  // Says what is wrong with mesh or material before any thread is started.
  new FemBody(mesh, { material: settings.material })
  const distinct = new DistinctPoses(mesh, duplicate * settings.size)
  const taken = Math.min(perRun, settings.snapshots)
  const gathered = new Gathering(mesh, { poses, crossing, keepInverted, perRun: taken }, distinct)
  const last = Math.ceil((PATIENCE * poses) / taken)
  const runs = options.runs ?? last
  let looked = 0
  // Of poses that are not taken yet as many will do as of those before; some are inverted or like others.
  const tell = (underWay: number): void => {
    const share = looked === 0 ? 1 : gathered.count / (looked * taken)
    const coming = (share * underWay * taken) / settings.snapshots
    options.onProgress?.(Math.min(1, (gathered.count + coming) / poses))
  }
  const source = new DropSource(mesh, settings, threads, options, tell)
  try {
    options.onProgress?.(0)
    for (let run = 0; run < last && !gathered.isFull; run++) {
      if (run >= runs && gathered.count > 0) break
      gathered.add(await source.take(run, last))
      looked = run + 1
      tell(source.underWay)
      if (gathered.count >= Math.min(fewest, poses) && options.timeIsUp?.()) break
    }
  } finally {
    await source.dispose()
  }
  return gathered.result()
}

/** Poses in the order of their runs. */
class Gathering {
  count = 0
  private readonly positions: Float32Array
  private readonly runOf: Uint32Array
  private readonly crossingsOf: Uint32Array
  private readonly report = { runs: 0, inverted: { poses: 0, tetrahedra: 0 }, dropped: 0, crossing: 0, unconverged: 0 }

  private readonly turned: { run: number; pose: Float32Array }[] = []

  constructor(
    private readonly mesh: TetMesh,
    private readonly options: Required<Pick<DropPoseOptions, 'poses' | 'crossing' | 'perRun' | 'keepInverted'>>,
    private readonly distinct: DistinctPoses,
  ) {
    const { poses } = options
    this.positions = new Float32Array(poses * mesh.positions.length)
    this.runOf = new Uint32Array(poses)
    this.crossingsOf = new Uint32Array(poses)
  }

  get isFull(): boolean {
    return this.count >= this.options.poses
  }

  add({ run, positions, inverted, crossings, unconverged }: DropRun): void {
    const { report } = this
    const coordinates = this.mesh.positions.length
    report.runs++
    report.unconverged += unconverged
    for (const snapshot of spread(inverted.length, this.options.perRun, run)) {
      if (this.isFull) break
      const pose = positions.subarray(snapshot * coordinates, (snapshot + 1) * coordinates)
      if (inverted[snapshot] > 0) {
        report.inverted.poses++
        report.inverted.tetrahedra += inverted[snapshot]
        if (this.options.keepInverted && this.turned.length < this.options.poses)
          this.turned.push({ run, pose: pose.slice() })
        continue
      }
      if (crossings[snapshot] > 0) report.crossing++
      if (crossings[snapshot] > 0 && this.options.crossing === 'leave-out') continue
      if (!this.distinct.add(pose)) {
        report.dropped++
        continue
      }
      this.positions.set(pose, this.count * coordinates)
      this.crossingsOf[this.count] = crossings[snapshot]
      this.runOf[this.count++] = run
    }
  }

  result(): DropPoses {
    const { count } = this
    return {
      count,
      positions: this.positions.slice(0, count * this.mesh.positions.length),
      runOf: this.runOf.slice(0, count),
      crossingsOf: this.crossingsOf.slice(0, count),
      ...this.report,
      ...(this.options.keepInverted ? { turned: this.turnedPoses() } : {}),
    }
  }

  private turnedPoses(): DropPoses['turned'] {
    const { turned } = this
    const positions = new Float32Array(turned.length * this.mesh.positions.length)
    turned.forEach(({ pose }, i) => {
      positions.set(pose, i * pose.length)
    })
    return { count: turned.length, positions, runOf: Uint32Array.from(turned, ({ run }) => run) }
  }
}

/** `taken` of `count` numbers, spread evenly, others for the next run: all of them come up equally often. */
function spread(count: number, taken: number, run: number): number[] {
  const step = count / taken
  const shift = (run * GOLDEN) % 1
  return Array.from({ length: taken }, (_, k) => Math.floor((k + shift) * step))
}
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** Runs on worker threads, a few ahead of the one that is asked for. */
class DropSource {
  private readonly workers: Worker[] = []
  private readonly waiting = new Map<number, { resolve: (run: DropRun) => void; reject: (reason: unknown) => void }>()
  private readonly coming = new Map<number, Promise<DropRun>>()
  private readonly queue: number[] = []
  private readonly idle: Worker[] = []
  private readonly onAbort = (): void => this.fail(this.options.signal!.reason)
  private failed: { reason: unknown } | undefined
  /** Poses of each run that was not taken yet. */
  private readonly snapshots = new Map<number, number>()

  constructor(
    private readonly mesh: TetMesh,
    private readonly settings: DropSettings,
    private readonly threads: number,
    private readonly options: DropPoseOptions,
    private readonly onSnapshot: (underWay: number) => void,
  ) {
    options.signal?.addEventListener('abort', this.onAbort)
  }

  /** @param last one more than the last run that may be asked for */
  async take(run: number, last: number): Promise<DropRun> {
    for (let ahead = run; ahead < Math.min(last, run + 2 * this.threads); ahead++) {
      if (!this.coming.has(ahead)) this.coming.set(ahead, this.order(ahead))
    }
    const result = await this.coming.get(run)!
    this.coming.delete(run)
    this.snapshots.delete(run)
    return result
  }

  /** Poses that are simulated but not taken yet. */
  get underWay(): number {
    let count = 0
    for (const snapshots of this.snapshots.values()) count += snapshots
    return count
  }

  async dispose(): Promise<void> {
    this.options.signal?.removeEventListener('abort', this.onAbort)
    await Promise.all(this.workers.map((worker) => worker.terminate()))
  }

  private order(run: number): Promise<DropRun> {
    const known = this.options.finished?.(run)
    if (known) return Promise.resolve(known)
    const promise = new Promise<DropRun>((resolve, reject) => {
      this.waiting.set(run, { resolve, reject })
    })
    // Runs ahead that nobody waits for any more must not bring the process down when they are given up.
    promise.catch(() => undefined)
    this.queue.push(run)
    if (this.failed) this.fail(this.failed.reason)
    else this.send()
    return promise
  }

  private send(): void {
    while (this.queue.length > 0) {
      const worker = this.idle.pop() ?? this.start()
      if (!worker) return
      worker.postMessage(this.queue.shift())
    }
  }

  private start(): Worker | undefined {
    if (this.workers.length >= this.threads) return undefined
    const start: DropWorkerStart = { mesh: this.mesh, settings: this.settings }
    const worker = new Worker(new URL('./drop-worker.js', import.meta.url), { workerData: start })
    // Messages that wait are handed over without a look at anything else, so signals and timers would have to wait too.
    worker.on('message', (message: FromDropWorker) => setImmediate(() => this.hear(worker, message)))
    worker.on('error', (error) => this.fail(new Error(`drop worker: ${error.message}`)))
    this.workers.push(worker)
    return worker
  }

  private hear(worker: Worker, message: FromDropWorker): void {
    if (message.kind === 'failed') {
      this.fail(new Error(`drop poses: run ${message.run}: ${message.message}`))
      return
    }
    if (message.kind === 'snapshot') {
      this.snapshots.set(message.run, message.count)
      this.onSnapshot(this.underWay)
      return
    }
    const { result } = message
    this.idle.push(worker)
    this.send()
    try {
      this.options.onRun?.(result)
      this.waiting.get(result.run)?.resolve(result)
    } catch (error) {
      this.fail(error)
    }
    this.waiting.delete(result.run)
  }

  private fail(reason: unknown): void {
    this.failed ??= { reason }
    this.queue.length = 0
    for (const { reject } of this.waiting.values()) reject(reason)
    this.waiting.clear()
  }
}

function requireWhole(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`drop poses: ${name} is ${value}; give a whole number of ${least} or more.`)
  }
}

function definedOnly(options: DropPoseOptions): DropPoseOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as DropPoseOptions &
    object
}
