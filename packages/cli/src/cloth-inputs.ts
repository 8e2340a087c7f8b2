/** What suite cloth and its reproduction measure: a trained character, a motion of it, and the paper's network of it. */
import { fileURLToPath } from 'node:url'
import type { SuiteOptions } from '@pliant/bench'
import { readTrained } from './artifact-file.js'
import { UsageError } from './errors.js'
import { clipsText, trainedOn } from './judged-on.js'
import {
  describeMotion,
  type MotionSettings,
  motionJson,
  type ReadMotion,
  readMotions,
  USUAL_MOTIONS,
} from './motions.js'

/** Paths as given; without `file` the built-in humanoid and its clips are taken. */
export type ClothFiles = Partial<Record<'file' | 'motion' | 'paper', string>>

const STUDIO_ARTIFACTS = new URL('../../../apps/studio/public/artifacts/', import.meta.url)
const BUILT_IN = {
  trained: new URL('humanoid.safetensors', STUDIO_ARTIFACTS),
  motion: new URL('humanoid.glb', STUDIO_ARTIFACTS),
}

export interface ClothInputs extends Pick<SuiteOptions, 'artifact' | 'clips' | 'trainingClips' | 'paper'> {
  /** The motions that are played, and whether the character was trained on them; undefined where no one can tell. */
  motions?: readonly (ReadMotion & { trained: boolean | undefined })[]
}

/** What is played, for people and for `--json`; nothing without a motion. */
export function playedMotions({ motions = [] }: Pick<ClothInputs, 'motions'>): { lines: string[]; json?: object[] } {
  if (motions.length === 0) return { lines: [] }
  const clips = motions.map(({ clip, trained }) => ({ name: clip.name, trained }))
  return {
    lines: [`plays poses ${clipsText(clips)}`, ...motions.map(describeMotion)],
    json: motions.map((motion) => ({ ...motionJson(motion), trained: motion.trained ?? null })),
  }
}

/** @throws UsageError if a file is missing or of another kind */
export async function clothInputs(
  { file, motion, paper }: ClothFiles,
  settings: MotionSettings = USUAL_MOTIONS,
): Promise<ClothInputs> {
  const path = file ?? fileURLToPath(BUILT_IN.trained)
  const trained = await readTrained(path)
  if (trained.kind !== 'character') {
    throw new UsageError(`${path} is no trained character; pass what 'pliant train character.glb' wrote.`)
  }
  const { character } = trained.character
  const standardMotion = file === undefined ? fileURLToPath(BUILT_IN.motion) : undefined
  const read = await readMotions(motion ?? standardMotion, character, settings)
  const motions = read.map((each) => ({ ...each, trained: trainedOn(trained.character, each.clip) }))
  const unseen = motions.filter((each) => each.trained !== true)
  // Without any that it was not trained on, one of those serves as the motion, and the file's own poses judge.
  const played = unseen.length > 0 ? unseen : motions.slice(0, 1)
  return {
    artifact: trained.bytes,
    clips: played.map(({ clip }) => clip),
    trainingClips: motions.filter((each) => each.trained === true).map(({ clip }) => clip),
    motions: played,
    paper: paper === undefined ? undefined : (await readTrained(paper)).bytes,
  }
}
