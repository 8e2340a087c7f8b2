/**
 * Exact labels for many poses of one mesh, over worker threads. Each worker holds the mesh and refits it per pose;
 * positions, points and answers travel through shared memory, two poses per worker at a time, so that a worker always
 * has the next one waiting and memory does not grow with the number of poses. A pose's labels depend on that pose
 * alone: the same for any number of workers.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type Floats, requireValidMesh, type TriangleMesh } from 'pliant'
import type { ExactMeshFieldOptions } from 'pliant/exact'
import { type FromWorker, type LabelSlot, sharedSlot, type ToWorker, type WorkerStart } from './label-messages.js'

export interface LabelPoolOptions extends ExactMeshFieldOptions {
  /** Worker threads; by default one per core. */
  threads?: number
}

export interface LabelJob {
  poses: number
  pointsPerPose: number
  /**
   * Writes the vertex positions of a pose and the points to label [m]. Called on the caller's thread, once per pose, in
   * order, only a few poses ahead of the labels.
   */
  prepare(pose: number, positions: Float64Array, points: Float64Array): void
  /** Receives signed distances [m], poses x pointsPerPose. */
  distances: Floats
  /** Receives unit normals, poses x pointsPerPose x 3. */
  normals?: Floats
}

export interface LabelOptions {
  /** Stops before the next pose; `label` then rejects with the signal's reason and the pool stays usable. */
  signal?: AbortSignal
  /** @param fraction of the poses that are labelled */
  onProgress?: (fraction: number) => void
}

/** Poses that each worker has before it: one to work on and one to go on with. */
const SLOTS_PER_WORKER = 2

export class LabelPool {
  private busy = false
  private onMessage: ((worker: number, message: FromWorker) => void) | undefined
  private onFailure: ((error: Error) => void) | undefined
  /** Why the pool cannot be used any more. */
  private broken: Error | undefined

  private constructor(
    private readonly workers: Worker[],
    private readonly coordinates: number,
  ) {
    workers.forEach((worker, w) => {
      // Messages that wait are handed over without a look at anything else, so signals and timers would have to wait too.
      worker.on('message', (message: FromWorker) => setImmediate(() => this.onMessage?.(w, message)))
      worker.on('error', (error) => this.fail(new Error(`label worker: ${error.message}`)))
      worker.on('exit', (code) => this.fail(new Error(`label worker: ended with code ${code}; make a new pool.`)))
    })
  }

  /** @throws RangeError if the mesh is broken or `threads` is not a whole number above 0 */
  static async create(mesh: TriangleMesh, options: LabelPoolOptions = {}): Promise<LabelPool> {
    const { threads = availableParallelism(), sign } = options
    if (!Number.isInteger(threads) || threads < 1) {
      throw new RangeError(`label pool: ${threads} threads; pass a whole number above 0.`)
    }
    requireValidMesh(mesh)
    const start: WorkerStart = { positions: Float64Array.from(mesh.positions), triangles: mesh.triangles, sign }
    const script = new URL('./label-worker.js', import.meta.url)
    const workers = Array.from({ length: threads }, () => new Worker(script, { workerData: start }))
    const pool = new LabelPool(workers, mesh.positions.length)
    let ready = 0
    try {
      await pool.listen((message) => {
        if (message.kind === 'unusable') throw new Error(`label worker: ${message.message}`)
        return ++ready === threads
      })
    } catch (error) {
      await pool.dispose()
      throw error
    }
    // Idle workers do not keep the process alive.
    for (const worker of workers) worker.unref()
    return pool
  }

  get threads(): number {
    return this.workers.length
  }

  /**
   * Labels all poses of a job into its arrays.
   * @throws RangeError if an array is too short; whatever `prepare` throws; the reason of an aborted signal
   */
  async label(job: LabelJob, options: LabelOptions = {}): Promise<void> {
    if (this.broken) throw this.broken
    if (this.busy) throw new Error('label pool: busy with another job; await it first, or make a second pool.')
    requireRoom(job)
    options.signal?.throwIfAborted()
    this.busy = true
    for (const worker of this.workers) worker.ref()
    try {
      await this.run(job, options)
    } finally {
      this.busy = false
      for (const worker of this.workers) worker.unref()
    }
  }

  /** Ends the workers; a job that is running rejects. */
  async dispose(): Promise<void> {
    this.fail(new Error('label pool: disposed; make a new one.'))
    await Promise.all(this.workers.map((worker) => worker.terminate()))
  }

  private async run(job: LabelJob, { signal, onProgress }: LabelOptions): Promise<void> {
    const { poses, pointsPerPose } = job
    const slots = this.workers.map(() =>
      Array.from({ length: SLOTS_PER_WORKER }, () =>
        sharedSlot(this.coordinates, pointsPerPose, job.normals !== undefined),
      ),
    )
    this.workers.forEach((worker, w) => {
      send(worker, { kind: 'slots', slots: slots[w] })
    })
    const poseOf = slots.map(() => new Int32Array(SLOTS_PER_WORKER))
    let next = 0
    let done = 0
    let inFlight = 0
    let stopped: { reason: unknown } | undefined
    const guard = (work: () => void): void => {
      try {
        work()
      } catch (reason) {
        stopped ??= { reason }
      }
    }
    const dispatch = (w: number, slot: number): void => {
      if (next >= poses || stopped) return
      guard(() => {
        signal?.throwIfAborted()
        job.prepare(next, slots[w][slot].positions, slots[w][slot].points)
        poseOf[w][slot] = next++
        inFlight++
        send(this.workers[w], { kind: 'label', slot })
      })
    }
    for (let slot = 0; slot < SLOTS_PER_WORKER; slot++) {
      for (let w = 0; w < this.threads; w++) dispatch(w, slot)
    }
    // Also after a stop the poses in flight are awaited: the next job must not meet their answers.
    if (inFlight > 0) {
      await this.listen((message, w) => {
        inFlight--
        if (message.kind === 'done') {
          guard(() => {
            copyOut(slots[w][message.slot], poseOf[w][message.slot], job)
            onProgress?.(++done / poses)
          })
          dispatch(w, message.slot)
        } else if (message.kind === 'failed') {
          stopped ??= { reason: new Error(`label: pose ${poseOf[w][message.slot]}: ${message.message}`) }
        }
        return inFlight === 0
      })
    }
    if (stopped) throw stopped.reason
  }

  /** Hands messages to `handle` until it says that it has heard all; what it throws, or a lost worker, rejects. */
  private listen(handle: (message: FromWorker, worker: number) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.onFailure = reject
      this.onMessage = (worker, message) => {
        try {
          if (handle(message, worker)) resolve()
        } catch (error) {
          reject(error)
        }
      }
    })
  }

  private fail(error: Error): void {
    this.broken ??= error
    this.onFailure?.(this.broken)
  }
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message)
}

function copyOut(slot: LabelSlot, pose: number, job: LabelJob): void {
  job.distances.set(slot.distances, pose * job.pointsPerPose)
  job.normals?.set(slot.normals, 3 * pose * job.pointsPerPose)
}

function requireRoom({ poses, pointsPerPose, distances, normals }: LabelJob): void {
  if (!Number.isInteger(poses) || poses < 0 || !Number.isInteger(pointsPerPose) || pointsPerPose < 0) {
    throw new RangeError(`label: ${poses} poses of ${pointsPerPose} points; pass whole numbers.`)
  }
  const total = poses * pointsPerPose
  if (distances.length < total || (normals && normals.length < 3 * total)) {
    const room = normals
      ? `${distances.length} distances and ${normals.length / 3} normals`
      : `${distances.length} distances`
    throw new RangeError(`label: room for ${room}, the job has ${total} points; pass longer arrays.`)
  }
}
