/** The scenes of the paper's sections 5.2 and 5.4, one after the other. */
import type { RunOptions } from '../../../suite/suite.js'
import { contactScenes, type SceneFiles } from './bodies.js'
import { type RaceFrames, type RaceResult, runRace } from './race.js'
import { scannedRace } from './scanned.js'
import { shellRockRace } from './shell-rock.js'

export interface RaceOptions extends RunOptions {
  seed?: number
  /** Trained files of scanned bodies; without them these are not raced. */
  scenes?: SceneFiles
}

/** Of each motion. */
const FRAMES = 300
const QUICK_FRAMES = 60

/** @param tell  for a scene that goes from one fraction of the whole to another, what hears how much of it is done */
export async function raceAll(
  { quick = false, seed = 1, scenes }: RaceOptions,
  tell: (scene: string, from: number, to: number) => (done: number) => Promise<void>,
  from: number,
  to: number,
): Promise<{ result: RaceResult; series: RaceFrames }[]> {
  const frames = quick ? QUICK_FRAMES : FRAMES
  const scanned = scenes ? await contactScenes(scenes, quick) : []
  const races = [...scanned.map((scene) => () => scannedRace(scene, quick)), () => shellRockRace(seed, quick)]
  const raced: { result: RaceResult; series: RaceFrames }[] = []
  for (const [index, race] of races.entries()) {
    const share = (to - from) / races.length
    const told = tell('scenes', from + index * share, from + (index + 1) * share)
    await told(0)
    raced.push(await runRace(race(), { seed, frames, quick }, told))
  }
  return raced
}
