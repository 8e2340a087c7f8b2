/** A trained file of any kind, judged against exact geometry, alone or beside others. */
import type { BodyEvaluation, PoseError } from '@pliant/train/unstable'
import type { MotionSettings, ReadMotion } from '@pliant/train/unstable/poses'
import type { Artifact, ObjectArtifact, Quality } from 'pliant'
import type { CharacterArtifact } from 'pliant/character'
import type { OnProgress } from 'pliant/unstable'
import { readTrained } from './artifact-file.js'
import { UsageError } from './errors.js'
import { clipsText, heldOutText, trainedOn } from './judged-on.js'
import { readJudgingPoses } from './judging-poses.js'

export interface JudgeOptions {
  signal: AbortSignal
  onProgress: OnProgress
  poses: number | undefined
  points: number | undefined
  /** Of characters. */
  motion: string | undefined
  motionSettings: MotionSettings
  noise: number | undefined
  rivals: boolean
  /** Of all others: path of a second file. */
  against: string | undefined
}

export interface JudgedFile {
  file: string
  method: string
  quality: Quality
  /** What the field said of its own error at these poses. */
  told: PoseError[]
  /** Of an elastic body. */
  body?: BodyEvaluation
  against?: Omit<JudgedFile, 'against'>
  /** Of a character. */
  rivals?: Readonly<Record<string, Quality>>
  sequenceFit?: number
  /** What the poses are of, after their number: whether they were trained on is said only where it is known. */
  posesText?: string
  motions?: (ReadMotion & { trained: boolean })[]
}

/** @throws UsageError if the options are not for this kind of file, or the second file is of another object */
export function judgeTrained(file: string, artifact: Artifact, options: JudgeOptions): Promise<JudgedFile> {
  return artifact.kind === 'character' ? judgeCharacter(file, artifact, options) : judgeObject(file, artifact, options)
}

async function judgeObject(file: string, artifact: ObjectArtifact, options: JudgeOptions): Promise<JudgedFile> {
  const { motion, motionSettings: _, noise, rivals, against, ...rest } = options
  if (motion !== undefined || noise !== undefined || rivals) {
    throw new UsageError('evaluate: --motion, --noise and --rivals are for characters; leave them out.')
  }
  const trainer = await import('@pliant/train/unstable')
  const files = [{ file, artifact }, ...(against === undefined ? [] : [await readOther(against)])]
  const artifacts = files.map((each) => each.artifact)
  const judge = async (): Promise<Pick<JudgedFile, 'quality' | 'told' | 'body'>[]> => {
    if (artifact.kind !== 'elastic-body') return trainer.evaluateArtifacts(artifacts, rest)
    const bodies = await trainer.evaluateBodies(artifacts, rest)
    return bodies.map((body) => ({ quality: body.runTime.quality, told: body.runTime.told, body }))
  }
  try {
    const [first, second] = (await judge()).map((judged, i) => ({
      file: files[i].file,
      method: artifacts[i].manifest.training.method,
      ...judged,
    }))
    return { ...first, against: second }
  } catch (error) {
    if (error instanceof trainer.BadInput) throw new UsageError(`${against}: ${error.message}`, { cause: error })
    throw error
  }
}

async function readOther(file: string): Promise<{ file: string; artifact: ObjectArtifact }> {
  const { artifact } = await readTrained(file)
  if (artifact.kind !== 'character') return { file, artifact }
  throw new UsageError(`${file} is a trained character; pass a file of the same object.`)
}

async function judgeCharacter(file: string, artifact: CharacterArtifact, options: JudgeOptions): Promise<JudgedFile> {
  const { motion, motionSettings, noise, rivals, against, ...rest } = options
  if (against !== undefined) {
    throw new UsageError('evaluate: --against is not for characters; leave it out, or compare with --rivals.')
  }
  const trainer = await import('@pliant/train/unstable')
  const { character, heldOut } = artifact
  const given =
    motion === undefined
      ? { poses: heldOut, fit: undefined, motions: [] }
      : await readJudgingPoses(motion, character, motionSettings, rest.onProgress)
  const poses = trainer.spreadPoses(character.skeleton, given.poses, rest.poses ?? heldOut.length, noise ?? 0)
  const judged = await trainer.evaluateCharacter(artifact, { ...rest, poses, rivals })
  const motions = given.motions.map((read) => ({ ...read, trained: trainedOn(artifact, read.clip) }))
  const posesText = [
    motion === undefined ? heldOutText(artifact.manifest) : '',
    motions.length > 0 ? clipsText(motions.map(({ clip, trained }) => ({ name: clip.name, trained }))) : '',
    given.fit === undefined ? '' : 'of recorded vertices',
    noise ? `with noise of ${noise} degrees on every joint` : '',
  ]
  return {
    file,
    method: artifact.manifest.training.method,
    ...judged,
    sequenceFit: given.fit,
    posesText: posesText.filter(Boolean).join('; '),
    motions,
  }
}
