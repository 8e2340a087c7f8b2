/** A trained field of points, judged against exact geometry, alone or beside others. */
import type { EvaluateOptions } from '@pliant/train'
import type { BodyEvaluation, PoseError } from '@pliant/train/unstable'
import type { MotionSettings, ReadMotion } from '@pliant/train/unstable/poses'
import type { Artifact, Quality } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import { readTrained } from './artifact-file.js'
import { UsageError } from './errors.js'

export interface JudgeOptions {
  signal: AbortSignal
  onProgress: OnProgress
  poses: number | undefined
  points: number | undefined
  /** Of what answers codes. */
  codes: number | undefined
  /** Of characters. */
  motion: string | undefined
  motionSettings: MotionSettings
  noise: number | undefined
  rivals: boolean
  /** Of objects: path of a second file. */
  against: string | undefined
  /** Also from ordinary poses to violent ones. */
  violent: boolean
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

/**
 * @param judge  measures files of one object side by side
 * @throws UsageError if the second file is of another object
 */
export async function judgeObject(
  file: string,
  artifact: Artifact,
  { signal, onProgress, poses, points, against }: JudgeOptions,
  judge: (
    artifacts: readonly Artifact[],
    options: EvaluateOptions,
  ) => Promise<Pick<JudgedFile, 'quality' | 'told' | 'body'>[]>,
): Promise<JudgedFile> {
  const { BadInput } = await import('@pliant/train')
  const other = against === undefined ? [] : [{ file: against, artifact: (await readTrained(against)).artifact }]
  const files = [{ file, artifact }, ...other]
  const artifacts = files.map((each) => each.artifact)
  try {
    const [first, second] = (await judge(artifacts, { signal, onProgress, poses, points })).map((judged, i) => ({
      file: files[i].file,
      method: artifacts[i].manifest.training.method,
      ...judged,
    }))
    return { ...first, against: second }
  } catch (error) {
    if (error instanceof BadInput) throw new UsageError(`${against}: ${error.message}`, { cause: error })
    throw error
  }
}
