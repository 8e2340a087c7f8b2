/** All that `pliant bench contact` measures, one part after the other. */
import { describeMachine, type Machine } from '../../origin/machine.js'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type BoundsResult, fuzzBounds } from './bounds-fuzz.js'
import { type CubeSphereResult, judgeCubeSphere } from './cube-sphere.js'
import { type CurveResult, judgeCurves } from './curves.js'
import { judgePairs, type PairsResult } from './random-pairs.js'
import { judgeStacking, type StackingResult } from './stacking.js'

export interface ContactGiven {
  /** Poses of the twenty shapes. */
  poses?: number
  seed?: number
}

export interface ContactBenchResult {
  machine: Machine
  pairs: PairsResult
  cubeSphere: CubeSphereResult
  curves: CurveResult
  bounds: BoundsResult
  stacking: StackingResult
}

/** How much of everything is judged. */
const FULL = { poses: 10_000, configurations: 1000, places: 500, boxes: 1_000_000, rest: 60, pile: 8 }
const QUICK = { poses: 100, configurations: 100, places: 50, boxes: 20_000, rest: 1, pile: 1 }

export async function benchContact(options: RunOptions & ContactGiven): Promise<ContactBenchResult> {
  const { quick = false, seed = 1 } = options
  const size = quick ? QUICK : FULL
  const { poses = size.poses } = options
  const stages = stagesOf(options)
  const told = (what: string, count: number, from: number, to: number) => {
    const tell = stages('contact', from, to)
    return async (done: number): Promise<void> => {
      tell({ fraction: done / count, detail: `${what}, ${done} of ${count}` })
      // So that a signal is heard.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const { configurations, places, boxes, rest, pile } = size
  const curves = await judgeCurves({ seed, places }, told('curves', places, 0, 0.02))
  const cubeSphere = await judgeCubeSphere({ seed, configurations }, told('ball and cube', configurations, 0.02, 0.06))
  const bounds = await fuzzBounds({ seed, boxes }, told('boxes', boxes, 0.06, 0.15))
  const pairs = await judgePairs({ seed, poses }, told('poses', poses, 0.15, 0.6))
  const stacking = await judgeStacking(
    { seconds: rest, pileSeconds: pile, seed },
    told('seconds of bodies at rest and dropped', 3 * (rest + pile), 0.6, 1),
  )
  return { machine: describeMachine(), pairs, cubeSphere, curves, bounds, stacking }
}
