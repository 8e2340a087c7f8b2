/**
 * Ways to find the contacts of two bodies, frame by frame along one motion (the paper's Fig. 13 and Table 1): how long a
 * frame takes, what is missed, and how far the deepest contact is off what is proved of the exact bodies.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { median } from '../../../timing/median.js'
import type { PairContacts } from '../methods.js'
import type { PosedField } from '../reference.js'
import { type MotionFrame, toolMotion } from './motion.js'

export interface RacedMethod {
  method: string
  /** Time of a frame [ms], of frames that touch and of those that do not. */
  touching: { median: number; p95: number }
  free: { median: number; p95: number }
  /** What the body takes [bytes]; beside it the points or the tree that the method needs. */
  bytes: { body: number; beside: number }
  /** Frames that touch, and have no contact; that do not, and have one. */
  missed: number
  madeUp: number
  /** Of those that are missed, the deepest, as a share of the size. */
  deepestMissed: number
  /** Depth against what is proved, as shares of the size: mean, largest; and frames that are off by more than .5%. */
  depth: { mean: number; largest: number; offBy: number }
  /** Whether only points of the body are told, and depth is that of the body's surface alone. */
  oneSided: boolean
}

export interface RaceResult {
  scene: string
  frames: number
  touching: number
  free: number
  triangles: { body: number; tool: number }
  /** The smaller diagonal [m]. */
  size: number
  methods: RacedMethod[]
}

/** What each frame was, for charts. */
export interface RaceFrames {
  /** Whether it is proved to touch. */
  touches: boolean[]
  /** Of each method: time of each frame [ms], and of the frames with a contact where the deepest is [m]. */
  methods: { method: string; times: number[]; points: [number, number, number][] }[]
}

export interface Racer {
  method: string
  /** Told that the first body stays. */
  pair: PairContacts
  bytes: RacedMethod['bytes']
  oneSided?: boolean
}

/** Two bodies as they are exactly, and all that are raced on them. */
export interface Race {
  scene: string
  body: Omit<PosedField, 'pose'>
  tool: Omit<PosedField, 'pose'>
  /** The smaller diagonal [m]. */
  size: number
  triangles: RaceResult['triangles']
  racers: readonly Racer[]
}

/** Rounds over the whole motion; the least time of each frame counts, as nothing makes a frame faster than it is. */
const ROUNDS = { full: 7, quick: 2 }

export async function runRace(
  { scene, body, tool, size, triangles, racers }: Race,
  { seed, frames, quick }: { seed: number; frames: number; quick: boolean },
  told: (done: number) => Promise<void>,
): Promise<{ result: RaceResult; series: RaceFrames }> {
  const motion = await toolMotion(body, tool, { seed, frames, size }, (done) => told(done / frames / 2))
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  const times = racers.map(() => new Float64Array(frames).fill(Infinity))
  const depths = racers.map(() => new Float64Array(frames))
  const points = racers.map((): [number, number, number][] => [])
  const random = streamOf('benchTurns', 1)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { pose }] of motion.entries()) {
      if (index % 20 === 0) await told((1 + (round + index / frames) / rounds) / 2)
      for (const which of shuffled(racers.length, random)) {
        const { pair } = racers[which]
        const began = performance.now()
        const { count, separations, pointsA } = pair.update(STILL, pose)
        times[which][index] = Math.min(times[which][index], performance.now() - began)
        // Methods write the deepest first.
        depths[which][index] = count === 0 ? Infinity : separations[0]
        if (round === 0 && count > 0) points[which].push([pointsA[0], pointsA[1], pointsA[2]])
      }
    }
  }
  const least = motion.map((frame) => Math.min(frame.body[0], frame.tool[0]))
  const most = motion.map((frame) => Math.min(frame.body[1], frame.tool[1]))
  const result: RaceResult = {
    ...{ scene, frames, size, triangles },
    touching: most.filter((value) => value < 0).length,
    free: least.filter((value) => value > 0).length,
    methods: racers.map(({ method, bytes, oneSided = false }, which) => ({
      ...{ method, bytes, oneSided },
      ...judged(motion, depths[which], times[which], size, oneSided),
    })),
  }
  const series: RaceFrames = {
    touches: most.map((value) => value < 0),
    methods: racers.map(({ method }, which) => ({ method, times: [...times[which]], points: points[which] })),
  }
  return { result, series }
}

const STILL = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

function judged(
  motion: readonly MotionFrame[],
  depths: Float64Array,
  times: Float64Array,
  size: number,
  oneSided: boolean,
): Omit<RacedMethod, 'method' | 'bytes' | 'oneSided'> {
  const [touching, free, errors]: number[][] = [[], [], []]
  let [missed, madeUp, deepestMissed] = [0, 0, 0]
  motion.forEach(({ body, tool }, index) => {
    const low = (oneSided ? body[0] : Math.min(body[0], tool[0])) / size
    const high = (oneSided ? body[1] : Math.min(body[1], tool[1])) / size
    const depth = depths[index] / size
    if (high < 0) {
      touching.push(times[index])
      if (depth < 0) errors.push(Math.max(0, low - depth, depth - high))
      else {
        missed++
        deepestMissed = Math.max(deepestMissed, -high)
      }
    } else if (low > 0) {
      free.push(times[index])
      if (depth < 0) madeUp++
    }
  })
  return {
    ...{ touching: spreadOf(touching), free: spreadOf(free), missed, madeUp, deepestMissed },
    depth: {
      mean: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
      largest: errors.reduce((most, error) => Math.max(most, error), 0),
      offBy: errors.filter((error) => error > 0.005).length,
    },
  }
}

function spreadOf(times: readonly number[]): { median: number; p95: number } {
  const sorted = [...times].sort((a, b) => a - b)
  return { median: sorted.length > 0 ? median(sorted) : 0, p95: sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0 }
}

function shuffled(count: number, random: { below(end: number): number }): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  for (let left = count; left > 1; left--) {
    const taken = random.below(left)
    ;[order[left - 1], order[taken]] = [order[taken], order[left - 1]]
  }
  return order
}
