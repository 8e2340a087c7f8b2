/** What suite cloth and its reproduction measure: a trained character, a motion of it, and the paper's network of it. */
import { fileURLToPath } from 'node:url'
import type { SuiteOptions } from '@pliant/bench'
import { bodyLandmarks, garmentKinds, type LimbEnds } from 'pliant/sim'
import { readTrained } from './artifact-file.js'
import { asBadInput, UsageError } from './errors.js'
import { clipsText, trainedOn } from './judged-on.js'
import {
  describeMotion,
  type MotionSettings,
  motionJson,
  type ReadMotion,
  readMotions,
  USUAL_MOTIONS,
} from './motions.js'

/** Paths as given, and joints as in `readLimbEnds`; without `file` the built-in humanoid and its clips are taken. */
export type ClothFiles = Partial<Record<'file' | 'motion' | 'paper' | 'joints', string>>

const STUDIO_ARTIFACTS = new URL('../../../apps/studio/public/artifacts/', import.meta.url)
const BUILT_IN = {
  trained: new URL('humanoid.safetensors', STUDIO_ARTIFACTS),
  motion: new URL('humanoid.glb', STUDIO_ARTIFACTS),
}

export interface ClothInputs extends Pick<SuiteOptions, 'artifact' | 'clips' | 'trainingClips' | 'joints' | 'paper'> {
  /** Whether there is something that the character can wear. */
  isDressed?: boolean
  /** The motions that are played, and whether the character was trained on them; undefined where no one can tell. */
  motions?: readonly (ReadMotion & { trained: boolean | undefined })[]
}

/** What is played, for people and for `--json`; nothing without a motion. */
export function playedMotions({ motions = [], isDressed = true }: Pick<ClothInputs, 'motions' | 'isDressed'>): {
  lines: string[]
  json?: object[]
} {
  const bare = isDressed ? [] : ["no garment fits: no hands and feet by the joints' names; name them with --joints"]
  if (motions.length === 0) return { lines: bare }
  const clips = motions.map(({ clip, trained }) => ({ name: clip.name, trained }))
  return {
    lines: [`plays poses ${clipsText(clips)}`, ...motions.map(describeMotion), ...bare],
    json: motions.map((motion) => ({ ...motionJson(motion), trained: motion.trained ?? null })),
  }
}

/** @throws UsageError if the text is not such as `hand=wrist.l,hand=wrist.r,foot=ankle.l` */
export function readLimbEnds(text: string): LimbEnds {
  const ends: Record<'hand' | 'foot', string[]> = { hand: [], foot: [] }
  for (const entry of text.split(',')) {
    const [, part, name] = /^\s*(hand|foot)\s*=\s*(.+?)\s*$/.exec(entry) ?? []
    if (part === undefined) {
      throw new UsageError(`--joints has '${entry}'; write hand=NAME or foot=NAME, one for each, separated by commas.`)
    }
    ends[part as 'hand' | 'foot'].push(name)
  }
  return Object.fromEntries(Object.entries(ends).filter(([, names]) => names.length > 0))
}

export const JOINTS_OPTION = {
  value: 'LIST',
  help: 'of cloth: which joints are hands and feet where their names do not say so: hand=NAME,hand=NAME,foot=NAME,...',
}

/**
 * @param plays  what is played: motions that it was not trained on, or all, for what judges no network
 * @throws UsageError if a file is missing or of another kind
 */
export async function clothInputs(
  { file, motion, paper, joints: limbs }: ClothFiles,
  settings: MotionSettings = USUAL_MOTIONS,
  plays: 'unseen' | 'all' = 'unseen',
): Promise<ClothInputs> {
  const path = file ?? fileURLToPath(BUILT_IN.trained)
  const trained = await readTrained(path)
  if (trained.kind !== 'character') {
    throw new UsageError(`${path} is no trained character; pass what 'pliant train character.glb' wrote.`)
  }
  const { character } = trained.character
  const joints = limbs === undefined ? undefined : readLimbEnds(limbs)
  const landmarks = await asBadInput(() => bodyLandmarks(character.skeleton, joints))
  const standardMotion = file === undefined ? fileURLToPath(BUILT_IN.motion) : undefined
  const read = await readMotions(motion ?? standardMotion, character, settings)
  const motions = read.map((each) => ({ ...each, trained: trainedOn(trained.character, each.clip) }))
  const unseen = motions.filter((each) => plays === 'all' || each.trained !== true)
  // Without any that it was not trained on, one of those serves as the motion, and the file's own poses judge.
  const played = unseen.length > 0 ? unseen : motions.slice(0, 1)
  return {
    artifact: trained.bytes,
    clips: played.map(({ clip }) => clip),
    trainingClips: motions.filter((each) => each.trained === true).map(({ clip }) => clip),
    motions: played,
    joints,
    isDressed: garmentKinds(landmarks).length > 0,
    paper: paper === undefined ? undefined : (await readTrained(paper)).bytes,
  }
}
