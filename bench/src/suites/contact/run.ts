/** All that `pliant bench contact` measures, one part after the other. */
import { describeMachine, type Machine } from '../../origin/machine.js'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type BoundsResult, fuzzBounds } from './bounds-fuzz.js'
import { type CubeSphereResult, judgeCubeSphere } from './cube-sphere.js'
import { type CurveResult, judgeCurves } from './curves.js'
import { judgePairs, type PairsResult } from './random-pairs.js'
import { contactScenes, type SceneFiles } from './scenes/bodies.js'
import { type RaceFrames, type RaceResult, runRace } from './scenes/race.js'
import { scannedRace } from './scenes/scanned.js'
import { shellRockRace } from './scenes/shell-rock.js'

export interface ContactGiven {
  /** Poses of the twenty shapes. */
  poses?: number
  seed?: number
  /** Trained files of scanned bodies; without them these are not raced. */
  scenes?: SceneFiles
}

export interface ContactBenchResult {
  machine: Machine
  pairs: PairsResult
  cubeSphere: CubeSphereResult
  curves: CurveResult
  bounds: BoundsResult
  /** Bunny and cone, armadillo and cylinder, shell and rock. */
  races: RaceResult[]
}

/** How much of everything is judged. */
const FULL = { poses: 10_000, configurations: 1000, places: 500, boxes: 1_000_000, frames: 300 }
const QUICK = { poses: 100, configurations: 100, places: 50, boxes: 20_000, frames: 60 }

export async function benchContact(options: RunOptions & ContactGiven): Promise<ContactBenchResult> {
  const { quick = false, seed = 1 } = options
  const size = quick ? QUICK : FULL
  const { poses = size.poses } = options
  const stages = stagesOf(options)
  const told = (what: string, count: number, from: number, to: number) => {
    const tell = stages('contact', from, to)
    return async (done: number): Promise<void> => {
      tell({ fraction: done / count, detail: count === 1 ? what : `${what}, ${done} of ${count}` })
      // So that a signal is heard.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const { configurations, places, boxes } = size
  const curves = await judgeCurves({ seed, places }, told('curves', places, 0, 0.02))
  const cubeSphere = await judgeCubeSphere({ seed, configurations }, told('ball and cube', configurations, 0.02, 0.06))
  const bounds = await fuzzBounds({ seed, boxes }, told('boxes', boxes, 0.06, 0.15))
  const raced = await raceAll(options, (scene, from, to) => told(scene, 1, from, to), 0.15, 0.3)
  const pairs = await judgePairs({ seed, poses }, told('poses', poses, 0.3, 1))
  return { machine: describeMachine(), pairs, cubeSphere, curves, bounds, races: raced.map(({ result }) => result) }
}

/** The scenes of the paper's sections 5.2 and 5.4, one after the other. */
export async function raceAll(
  { quick = false, seed = 1, scenes }: RunOptions & ContactGiven,
  tell: (scene: string, from: number, to: number) => (done: number) => Promise<void>,
  from: number,
  to: number,
): Promise<{ result: RaceResult; series: RaceFrames }[]> {
  const { frames } = quick ? QUICK : FULL
  const scanned = scenes ? await contactScenes(scenes, quick) : []
  const races = [...scanned.map((scene) => () => scannedRace(scene)), () => shellRockRace(seed, quick)]
  const raced: { result: RaceResult; series: RaceFrames }[] = []
  for (const [index, race] of races.entries()) {
    const share = (to - from) / races.length
    const told = tell('scenes', from + index * share, from + (index + 1) * share)
    await told(0)
    raced.push(await runRace(race(), { seed, frames, quick }, told))
  }
  return raced
}
