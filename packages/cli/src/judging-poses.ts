/** Poses to judge a character by, from motions and from recorded vertices of its own mesh. */
import type { MotionSettings, ReadMotion } from '@pliant/train/unstable/poses'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { fitPose, type OnProgress, readAnime } from 'pliant/unstable'
import { asBadInput, UsageError } from './errors.js'
import { readInput } from './files.js'
import { readMotions } from './motions.js'

/** Frames per second at which clips are looked at. */
const FRAME_RATE = 30
/** Vertices of another body, or in another order, lie further off than this share of the height. */
const WORST_FIT = 0.02

export interface JudgingPoses {
  poses: SkeletonPose[]
  /** Mean distance of recorded vertices from the poses found for them, as a share of the height; undefined without. */
  fit: number | undefined
  /** Clips among them, one entry each. */
  motions: ReadMotion[]
}

/**
 * @param list paths, separated by commas: `.anime` sequences of the character's own vertices, or what `readMotions` takes
 * @throws UsageError if the vertices are not this character's
 */
export async function readJudgingPoses(
  list: string,
  character: SkinnedCharacter,
  settings: MotionSettings,
  onProgress: OnProgress,
): Promise<JudgingPoses> {
  const paths = list.split(',').map((path) => path.trim())
  const sequences = paths.filter((path) => /\.anime$/i.test(path))
  const motions = paths.filter((path) => !sequences.includes(path))
  const { clipFrames } = await import('@pliant/train/unstable')
  const read = motions.length > 0 ? await readMotions(motions.join(), character, settings) : []
  const poses = clipFrames(
    character,
    read.map(({ clip }) => clip),
    FRAME_RATE,
  ).map(({ pose }) => pose)
  const misses: number[] = []
  for (const path of sequences) {
    const bytes = await readInput(path)
    const { frames } = await asBadInput(() => readAnime(bytes), path)
    for (const [f, frame] of frames.entries()) {
      const pose = character.skeleton.createPose()
      const miss = (await asBadInput(() => fitPose(character, frame, pose), path)) / character.height
      if (!(miss <= WORST_FIT)) {
        throw new UsageError(
          `${path}: frame ${f} is ${(100 * miss).toFixed(1)}% of the height off any pose; pass vertices of this mesh.`,
        )
      }
      poses.push(pose)
      misses.push(miss)
      onProgress({ fraction: (f + 1) / frames.length, stage: 'finding poses' })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  const fit = misses.length > 0 ? misses.reduce((sum, miss) => sum + miss, 0) / misses.length : undefined
  return { poses, fit, motions: read }
}
