/** All that `pliant bench contact` measures, one part after the other. */
import { describeMachine } from '../../origin/machine.js'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { fuzzBounds } from './bounds-fuzz.js'
import { measureBoxes } from './boxes/measure-boxes.js'
import { QUICK_BOXES } from './boxes/surface-boxes.js'
import { judgeCubeSphere } from './cube-sphere.js'
import { judgeCurves } from './curves.js'
import { deformablesRuns, measureDeformables } from './deformables/measure.js'
import { type ContactBenchResult, type ContactFigures, type ContactGiven, PART_SHARES, type PartName } from './parts.js'
import { judgePairs } from './random-pairs.js'
import { raceAll } from './scenes/race-all.js'
import { judgeStacking } from './stacking.js'
import { measureWholeSurface } from './whole-surface.js'

/** Hears how many of a part's things are done. */
type Told = (done: number) => Promise<void>
/** Of things of that name, so many; of a part of the part, from one fraction of it to another. */
type Tell = (what: string, count: number, from?: number, to?: number) => Told
type Options = RunOptions & ContactGiven & { seed: number }

/** How each part is measured; undefined where what it needs was not given. */
const MEASURES: {
  readonly [Name in PartName]: (options: Options, tell: Tell) => Promise<ContactFigures[Name] | undefined>
} = {
  curves: ({ quick, seed }, tell) => {
    const places = quick ? 50 : 500
    return judgeCurves({ seed, places }, tell('curves', places))
  },
  cubeSphere: ({ quick, seed }, tell) => {
    const configurations = quick ? 100 : 1000
    return judgeCubeSphere({ seed, configurations }, tell('ball and cube', configurations))
  },
  bounds: ({ quick, seed }, tell) => {
    const boxes = quick ? 20_000 : 1_000_000
    return fuzzBounds({ seed, boxes }, tell('boxes', boxes))
  },
  races: async (options, tell) => {
    const raced = await raceAll(options, (scene, from, to) => tell(scene, 1, from, to), 0, 1)
    return raced.map(({ result }) => result)
  },
  stacking: ({ quick, seed }, tell) => {
    const [seconds, pileSeconds] = quick ? [1, 1] : [60, 8]
    const all = 3 * (seconds + pileSeconds)
    return judgeStacking({ seconds, pileSeconds, seed }, tell('seconds of bodies at rest and dropped', all))
  },
  wholeSurface: ({ quick }, tell) => {
    const sheet = quick ? { side: 16, frames: 60, seconds: 0.2 } : { side: 32, frames: 180, seconds: 3 }
    return measureWholeSurface(sheet, tell('cloth', 2))
  },
  boxes: ({ quick, scenes }, tell) => measureBoxes({ quick, scenes }, (bodies) => tell('bodies in boxes', bodies)),
  deformables: async ({ quick, seed, soft }, tell) => {
    if (!soft) return undefined
    const size = quick
      ? { seed, seeds: 1, seconds: 2, timed: 0.2, poses: 10 }
      : { seed, seeds: 5, seconds: 10, timed: 3, poses: 100 }
    return measureDeformables(soft, size, tell('squeezed bodies', deformablesRuns(size)))
  },
  pairs: ({ quick, seed, signal, poses = quick ? 100 : 10_000 }, tell) =>
    judgePairs({ seed, poses, signal, boxes: quick ? QUICK_BOXES : {} }, tell('poses', poses)),
}

export async function benchContact(options: RunOptions & ContactGiven): Promise<ContactBenchResult> {
  const { seed = 1, parts = Object.keys(PART_SHARES) as PartName[] } = options
  const stages = stagesOf(options)
  const all = parts.reduce((sum, name) => sum + PART_SHARES[name], 0)
  const result: ContactBenchResult = { machine: describeMachine() }
  let done = 0
  for (const name of parts) {
    const [start, share] = [done, PART_SHARES[name] / all]
    const tell: Tell = (what, count, from = 0, to = 1) => {
      const stage = stages('contact', start + from * share, start + to * share)
      return async (finished) => {
        stage({
          fraction: finished / count,
          detail: count === 1 ? what : `${what}, ${Math.floor(finished)} of ${count}`,
        })
        // So that a signal is heard.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const figures = await MEASURES[name]({ ...options, seed }, tell)
    if (figures !== undefined) Object.assign(result, { [name]: figures })
    done += share
  }
  return result
}
