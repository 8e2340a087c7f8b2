/**
 * Poses of a volumetric body to train on: dropped again and again onto a ground with spheres of random sizes
 * (Zesch et al. 2022, section 3.1.1), in worker threads. Runs depend on seed and number alone and are looked at in their
 * order, so the poses are the same for any number of threads, and a caller that keeps finished runs goes on where it was
 * stopped. Left out: poses with inverted tetrahedra, and shapes that were there before.
 */
import { availableParallelism } from 'node:os'
import type { TetMesh } from 'pliant'
import { FemBody } from 'pliant/sim'
import type { OnProgress } from 'pliant/unstable'
import { inOrder, WorkerPool } from '../pool/index.js'
import { DistinctPoses } from './drop-distinct.js'
import { DropGathering } from './drop-gathering.js'
import { type DropOptions, dropSettings } from './drop-options.js'
import type { DropRun } from './drop-run.js'

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
  /** Told which part of the poses is there, those of unfinished runs counted in. */
  onProgress?: OnProgress
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
/** Runs that are begun for each thread before the first of them is looked at: no thread waits for a slow one. */
const AHEAD = 2
/** What `onProgress` is told that it does. */
const DROPPING = 'dropping poses'

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
  const gathered = new DropGathering(mesh, { poses, crossing, keepInverted, perRun: taken }, distinct)
  const last = Math.ceil((PATIENCE * poses) / taken)
  const runs = options.runs ?? last
  let looked = 0
  /** Poses of each run that is not looked at yet. */
  const posesOfRun = new Map<number, number>()
  // Of those as many will do as of those before; some are inverted or like others.
  const tell = (): void => {
    const underWay = [...posesOfRun.values()].reduce((sum, count) => sum + count, 0)
    const share = looked === 0 ? 1 : gathered.count / (looked * taken)
    const coming = (share * underWay * taken) / settings.snapshots
    options.onProgress?.({ fraction: Math.min(1, (gathered.count + coming) / poses), stage: DROPPING })
  }
  const workers = new WorkerPool<typeof import('./drop-task.js')>(new URL('./drop-task.js', import.meta.url), {
    name: 'drop poses',
    threads,
    start: { mesh, settings },
    signal: options.signal,
  })
  const simulate = async (run: number): Promise<DropRun> => {
    const onTell = (count: number): void => {
      posesOfRun.set(run, count)
      tell()
    }
    const result = await workers.run('drop', run, { name: `run ${run}`, onTell })
    options.onRun?.(result)
    return result
  }
  try {
    options.onProgress?.({ fraction: 0, stage: DROPPING })
    const results = inOrder(last, AHEAD * threads, async (run) => options.finished?.(run) ?? simulate(run))
    for (let run = 0; run < last && !gathered.isFull; run++) {
      if (run >= runs && gathered.count > 0) break
      options.signal?.throwIfAborted()
      gathered.add((await results.next()).value)
      posesOfRun.delete(run)
      looked = run + 1
      tell()
      if (gathered.count >= Math.min(fewest, poses) && options.timeIsUp?.()) break
    }
  } finally {
    await workers.dispose()
  }
  return gathered.result()
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
