/** What `pliant train` does alike for every object: options, checkpoint, Ctrl-C, the file, what to warn of. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { JobEstimate } from '@pliant/train'
import { FailedRun, Interrupted, isAbort, UsageError } from './errors.js'
import { budgetText, estimateText } from './estimate-text.js'
import { writeBeside } from './files.js'
import { formatCount, formatSeconds } from './format.js'
import type { ProgressState } from './progress.js'
import type { Call } from './verb.js'

export interface TrainingOptions {
  budgetMinutes?: number
  /** When the job began [ms of performance.now()]. */
  began: number
  threads?: number
  resume: boolean
  checkpointPath: string
  signal: AbortSignal
  onProgress: (state: ProgressState) => void
  onWarning: (line: string) => void
  onEstimate: (estimate: JobEstimate) => void
}

/** @throws UsageError if options contradict each other */
export function trainingOptions({ args, signal, progress }: Pick<Call, 'args' | 'signal' | 'progress'>): {
  out: string
  /** undefined: as the spec says. */
  seed: number | undefined
  options: TrainingOptions
} {
  const out = args.required('out')
  const seed = args.integer('seed', { lower: 0, upper: 2 ** 32 - 1 })
  const budgetMinutes = args.number('budget', { lower: 0.1 })
  const threads = args.integer('threads', { lower: 1, upper: 256 })
  const resume = args.has('resume')
  if (resume && budgetMinutes !== undefined) {
    throw new UsageError('train: --budget was settled when the run began; leave it out with --resume.')
  }
  const options: TrainingOptions = {
    resume,
    checkpointPath: `${out}.checkpoint`,
    signal,
    onProgress: progress.update,
    onWarning: progress.warn,
    onEstimate(estimate) {
      progress.note(estimateText(estimate))
      const cut = budgetText(estimate)
      if (cut !== undefined) progress.warn(cut)
    },
    began: performance.now(),
    ...(budgetMinutes === undefined ? {} : { budgetMinutes }),
    ...(threads === undefined ? {} : { threads }),
  }
  return { out, seed, options }
}

/**
 * Runs a training that saves itself when it is stopped.
 * @throws Interrupted saying how to go on; UsageError if the trainer finds that the input cannot be trained on
 */
export async function runTraining<T>(path: string, checkpointPath: string, training: () => Promise<T>): Promise<T> {
  const { BadInput, leftoversOf } = await import('@pliant/train/unstable')
  try {
    return await training()
  } catch (error) {
    if (error instanceof BadInput) throw new UsageError(`${path}: ${error.message}`, { cause: error })
    if (!isAbort(error)) throw error
    const left = leftoversOf(checkpointPath).find(({ path }) => existsSync(path))
    throw new Interrupted(
      left
        ? `train: interrupted; the same command with --resume goes on ${left.how} ${left.path}.`
        : 'train: interrupted with nothing saved yet; run the same command again.',
    )
  }
}

/** Writes the artifact, and only then removes what was kept to resume: left behind, it would offer a finished run. */
export async function saveTrained(out: string, artifact: Uint8Array, checkpointPath: string): Promise<void> {
  const { leftoversOf } = await import('@pliant/train/unstable')
  try {
    await writeBeside(out, artifact)
  } catch (error) {
    // The call was right when it began, so whatever is wrong by now failed the run.
    const kept = existsSync(checkpointPath) ? ' The same command with --resume then goes on from the checkpoint.' : ''
    throw new FailedRun(`${(error as Error).message}${kept}`, { cause: error })
  }
  for (const { path } of leftoversOf(checkpointPath)) await rm(path, { force: true })
}

/** Fails a run whose result is bad, unless it was a trial, which only warns: no training ends in silence with a bad result. */
export function failureOf(out: string, fault: string | null, isTrial: boolean): string | undefined {
  if (fault === null || isTrial) return undefined
  return `train: ${out} is written but marked as bad: ${fault}; train longer, on more poses, or mend the input.`
}

export function faultWarnings(fault: string | null): string[] {
  return fault === null ? [] : [`marked as bad: ${fault}`]
}

/** How far beyond its budget a run may be before it says so. */
const OVERRUN = 1.2

/** One line if a run took longer than it was given. */
export function budgetWarnings(
  { budgetMinutes }: TrainingOptions,
  { seconds, steps, poses }: { seconds: number; steps: number; poses: number },
): string[] {
  if (budgetMinutes === undefined || seconds <= OVERRUN * 60 * budgetMinutes) return []
  const given = formatSeconds(60 * budgetMinutes)
  return [
    `the budget of ${given} was too short: it took ${formatSeconds(seconds)} with ${formatCount(poses)} poses and ${formatCount(steps)} steps; give it more`,
  ]
}
