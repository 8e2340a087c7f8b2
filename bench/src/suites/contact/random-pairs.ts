/**
 * Pairs of twenty shapes in random poses, from a gap to deep in each other: which contacts are missed, which are made up, and
 * how far depths are off, by each method, against numbers that are proved (judged-pose.ts).
 */
import { inOrder, WorkerPool } from '@pliant/train/unstable/pool'
import type { OrientedBoxesOptions } from 'pliant/detect'
import { type JudgedPose, PAIR_METHODS, poseJudge, TOLERANCE } from './judged-pose.js'
import { twentyFields } from './poses.js'

/** Depths up to these, as shares of the size, are counted apart. */
export const DEPTH_LIMITS = [0.001, 0.005, 0.02, 0.1, Infinity] as const

export interface MethodOnPairs {
  method: string
  /** Of the poses that touch, by depth (`limits`): how many there are, and how many were missed. */
  missed: number[]
  /** Contacts where there is none. */
  falseContacts: number
  /** Depth against the reference, as shares of the size: what lies outside its two ends. */
  depthError: { mean: number; median: number; p99: number; largest: number }
  /** Of those, how many are off by more than .5% of the size. */
  offBy: number
  /** Poses in which more room is told to be shared than surfaces show, and those of them where it is not. */
  rooms?: { told: number; wrong: number }
  /** The worst, so that it can be looked at. */
  worst: { pose: number; shapes: readonly [string, string]; told: number; least: number; most: number }
}

export interface PairsResult {
  seed: number
  poses: number
  shapes: number
  /** Ends of the reference lie no further apart, as a share of the size. */
  tolerance: number
  touching: number
  free: number
  /** Nearer to touching than the reference tells. */
  undecided: number
  limits: (number | null)[]
  /** Poses that touch, by depth. */
  byDepth: number[]
  methods: MethodOnPairs[]
}

export interface PairsOptions {
  seed: number
  poses: number
  /** How bodies are cut for the paper's method with boxes. */
  boxes?: OrientedBoxesOptions
  /** One judges on the caller's thread; by default one per core. */
  threads?: number
  signal?: AbortSignal
}

/** Poses that a worker takes at a time. */
const CHUNK = 16

/** @param told  is told how many poses are judged */
export async function judgePairs(
  { seed, poses, boxes = {}, threads, signal }: PairsOptions,
  told: (done: number) => Promise<void>,
): Promise<PairsResult> {
  const all: JudgedPose[] = []
  if (threads === 1) {
    const judge = poseJudge(seed, boxes)
    for (let pose = 0; pose < poses; pose++) {
      if (pose % CHUNK === 0) await told(pose)
      all.push(judge(pose))
    }
    return summary(seed, all)
  }
  const pool = new WorkerPool<typeof import('./pairs-task.js')>(new URL('./pairs-task.js', import.meta.url), {
    ...{ name: 'pairs of shapes', threads, signal, tasksPerWorker: 2, start: { seed, boxes } },
  })
  try {
    const judged = inOrder(Math.ceil(poses / CHUNK), 2 * pool.threads, (chunk) =>
      pool.run('judge', { from: chunk * CHUNK, to: Math.min(poses, (chunk + 1) * CHUNK) }),
    )
    for await (const chunk of judged) {
      await told(all.length)
      all.push(...chunk)
    }
  } finally {
    await pool.dispose()
  }
  return summary(seed, all)
}

function summary(seed: number, all: readonly JudgedPose[]): PairsResult {
  const touching = all.filter(({ least }) => least > 0)
  const free = all.filter(({ most }) => most < 0)
  const bin = ({ least }: JudgedPose): number => DEPTH_LIMITS.findIndex((limit) => least <= limit)
  const counted = (of: readonly JudgedPose[]): number[] =>
    DEPTH_LIMITS.map((_, at) => of.filter((each) => bin(each) === at).length)
  const methods = PAIR_METHODS.map((name, method) => {
    const off = (each: JudgedPose): number => {
      const depth = each.told[method]!.depth
      return Math.max(0, each.least - depth, depth - each.most)
    }
    const found = touching.filter(({ told }) => told[method] !== undefined).sort((x, y) => off(x) - off(y))
    const errors = found.map(off)
    const at = (share: number): number => errors[Math.floor(share * (errors.length - 1))] ?? 0
    const worst = found.at(-1)
    return {
      method: name,
      missed: counted(touching.filter(({ told }) => told[method] === undefined)),
      falseContacts: free.filter(({ told }) => told[method] !== undefined).length,
      depthError: {
        mean: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
        ...{ median: at(0.5), p99: at(0.99), largest: at(1) },
      },
      rooms: {
        told: all.filter(({ told }) => told[method]?.room !== undefined).length,
        wrong: all.filter(({ told }) => told[method]?.room === 'wrong').length,
      },
      offBy: errors.filter((error) => error > 0.005).length,
      worst: {
        pose: worst?.pose ?? -1,
        shapes: worst?.shapes ?? (['', ''] as const),
        ...{ told: worst?.told[method]?.depth ?? 0, least: worst?.least ?? 0, most: worst?.most ?? 0 },
      },
    }
  })
  return {
    ...{ seed, poses: all.length, shapes: twentyFields().size, tolerance: TOLERANCE },
    ...{ touching: touching.length, free: free.length, undecided: all.length - touching.length - free.length },
    limits: DEPTH_LIMITS.map((limit) => (limit === Infinity ? null : limit)),
    byDepth: counted(touching),
    methods,
  }
}
