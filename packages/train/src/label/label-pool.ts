/**
 * Exact labels for many poses of one mesh, over worker threads. Each worker holds the mesh and refits it per pose;
 * positions, points and answers travel through shared memory, two poses per worker at a time, so that a worker always
 * has the next one waiting and memory does not grow with the number of poses. A pose's labels depend on that pose
 * alone: the same for any number of workers.
 */
import type { Floats, TriangleMesh } from 'pliant'
import type { ExactMeshFieldOptions } from 'pliant/exact'
import { type OnProgress, requireValidMesh } from 'pliant/unstable'
import { WorkerPool } from '../pool/index.js'
import { type LabelSlot, sharedSlot } from './label-slot.js'
import type { LabelStart } from './label-task.js'

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
  /** Stops at once; `label` then rejects with the signal's reason and the pool stays usable. */
  signal?: AbortSignal
  /** Told which part of the poses is labelled. */
  onProgress?: OnProgress
}

/** Poses that each worker has before it: one to work on and one to go on with. */
const SLOTS_PER_WORKER = 2

export class LabelPool {
  private busy = false

  private constructor(
    private readonly workers: WorkerPool<typeof import('./label-task.js')>,
    private readonly coordinates: number,
  ) {}

  /** @throws RangeError if the mesh is broken or `threads` is not a whole number above 0 */
  static async create(mesh: TriangleMesh, { threads, sign }: LabelPoolOptions = {}): Promise<LabelPool> {
    requireValidMesh(mesh)
    const start: LabelStart = { positions: Float64Array.from(mesh.positions), triangles: mesh.triangles, sign }
    const options = { name: 'label', threads, start, tasksPerWorker: SLOTS_PER_WORKER }
    const pool = new LabelPool(
      new WorkerPool(new URL('./label-task.js', import.meta.url), options),
      mesh.positions.length,
    )
    try {
      await pool.workers.ready()
    } catch (error) {
      await pool.dispose()
      throw error
    }
    return pool
  }

  get threads(): number {
    return this.workers.threads
  }

  /**
   * Labels all poses of a job into its arrays.
   * @throws RangeError if an array is too short; whatever `prepare` throws; the reason of an aborted signal
   */
  async label(job: LabelJob, options: LabelOptions = {}): Promise<void> {
    if (this.busy) throw new Error('label pool: busy with another job; await it first, or make a second pool.')
    requireRoom(job)
    const { signal } = options
    signal?.throwIfAborted()
    const onAbort = (): void => this.workers.cancel(signal!.reason)
    this.busy = true
    signal?.addEventListener('abort', onAbort)
    try {
      await this.run(job, options)
    } finally {
      this.busy = false
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Ends the workers; a job that is running rejects. */
  dispose(): Promise<void> {
    return this.workers.dispose()
  }

  private async run(job: LabelJob, { signal, onProgress }: LabelOptions): Promise<void> {
    const { poses, pointsPerPose } = job
    let next = 0
    let done = 0
    let stopped: { reason: unknown } | undefined
    /** One pose after the other in the same memory. */
    const fill = async (slot: LabelSlot): Promise<void> => {
      while (next < poses && !stopped) {
        const pose = next++
        try {
          signal?.throwIfAborted()
          job.prepare(pose, slot.positions, slot.points)
          await this.workers.run('label', { pose, slot }, { name: `pose ${pose}` })
          copyOut(slot, pose, job)
          onProgress?.({ fraction: ++done / poses, stage: 'labelling' })
        } catch (reason) {
          stopped ??= { reason }
        }
      }
    }
    const slots = Array.from({ length: Math.min(poses, SLOTS_PER_WORKER * this.threads) }, () =>
      sharedSlot(this.coordinates, pointsPerPose, job.normals !== undefined),
    )
    await Promise.all(slots.map(fill))
    if (stopped) throw (stopped as { reason: unknown }).reason
  }
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
