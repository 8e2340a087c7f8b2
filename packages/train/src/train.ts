/** The main job: from a spec to an artifact. Object, frame, labelled samples, network, measured quality, one file. */

import {
  type Artifact,
  decodeArtifact,
  encodeArtifact,
  FORMAT_VERSION,
  loadField,
  type PosedField,
  type Quality,
} from 'pliant'
import { learnParts } from './body/learn-parts.js'
import { measureQuality } from './evaluate/quality.js'
import { restField } from './evaluate/rest-field.js'
import { faultOf } from './evaluate/verdict.js'
import { checkpointsOf, type ResumableRun } from './learn/checkpoint.js'
import { learnWhole } from './learn/learn-whole.js'
import type { LearnNetworkOptions } from './learn/learned-network.js'
import { learningSeconds } from './learn/run-steps.js'
import type { DropReport } from './poses/drop-poses.js'
import type { TrainSpec } from './spec/train-spec.js'
import { loadTrainingObject, type TrainingObject } from './spec/training-object.js'

export interface TrainProgress {
  /** Of the whole job, 0 to 1. */
  fraction: number
  stage: 'poses' | 'label' | 'learn' | 'evaluate'
  /** Of the present stage, 0 to 1: only its pace is known. */
  ofStage: number
  detail: string
}

export interface TrainOptions extends ResumableRun {
  /** What relative paths in the spec refer to; the working folder if not given. */
  folder?: string
  /** Stop learning early enough to finish in about this time; the result then depends on the machine's speed. */
  budgetMinutes?: number
  /** The spec's object, if it was loaded before. */
  object?: TrainingObject
  threads?: number
  signal?: AbortSignal
  onProgress?: (progress: TrainProgress) => void
}

export interface Trained {
  artifact: Uint8Array<ArrayBuffer>
  quality: Quality
  /** Why the result must not be trusted, as its file says too; undefined if nothing is wrong with it. */
  fault: string | undefined
  seconds: number
  steps: number
  specHash: string
  /** Of an elastic body: what became of the drops that its shapes come from. */
  drops?: DropReport
}

/** Not the machine's count: sums split over another number of threads round differently, and bytes would differ. */
export const TRAIN_THREADS = 2

/** Parts of the progress bar; poses are there only where they are simulated. */
const STAGES = { poses: [0, 0.2], label: [0.2, 0.3], learn: [0.3, 0.95], evaluate: [0.95, 1] } as const
/** Share of the last stage in which poses to judge by are simulated. */
const JUDGES = 0.8

/** Shares of a budget by which shapes to train on, and shapes to judge by, are to be there. */
const BUDGET_ENDS = { poses: 0.35, judges: 0.97 } as const

/** Whether a share of a budget is used up. */
function budgetUsed(budgetMinutes: number | undefined, began: number, share: number): boolean {
  return budgetMinutes !== undefined && performance.now() - began > share * 60_000 * budgetMinutes
}

/**
 * The same spec and seed give the same bytes on the same kind of machine, also across an interruption.
 * @throws Error in one line for a bad spec or object; the signal's reason when aborted, with the checkpoint saved
 */
export async function train(spec: TrainSpec, options: TrainOptions = {}): Promise<Trained> {
  const began = performance.now()
  const { signal } = options
  const threads = options.threads ?? TRAIN_THREADS
  let simulated = false
  const report = (stage: TrainProgress['stage'], ofStage: number, detail: string): void => {
    simulated ||= stage === 'poses'
    const begin = simulated ? 0 : STAGES.label[0]
    const [from, to] = STAGES[stage]
    options.onProgress?.({ fraction: (from + ofStage * (to - from) - begin) / (1 - begin), stage, ofStage, detail })
  }

  const object = options.object ?? (await loadTrainingObject(spec, options.folder ?? '.'))
  const { specHash } = object
  const checkpoints = await checkpointsOf(options, specHash, spec.seed)
  const prepared = await object.prepare({
    // A budget is settled when learning begins: before that there is nothing to go on with.
    ...(options.budgetMinutes === undefined ? { checkpointPath: options.checkpointPath, resume: options.resume } : {}),
    onWarning: options.onWarning,
    threads,
    signal,
    timeIsUp: () => budgetUsed(options.budgetMinutes, began, BUDGET_ENDS.poses),
    onProgress: (fraction, detail) => report('poses', fraction, detail),
  })
  const { model, body, sizes, frame, judges } = prepared
  const poses = prepared.shapes.codes.length
  const learning: LearnNetworkOptions = {
    ...checkpoints,
    threads,
    signal,
    secondsLeft: () => learningSeconds(options.budgetMinutes, began),
    onLabel: (fraction) => report('label', fraction, `${poses} poses x ${spec.pointsPerPose} points`),
    onProgress: (fraction, detail) => report('learn', fraction, detail),
  }
  const learned =
    body && spec.method === 'pliant'
      ? await learnParts(spec, { ...prepared, body }, learning)
      : await learnWhole(spec, prepared, learning)

  const artifact: Artifact = {
    manifest: {
      ...frame,
      format: FORMAT_VERSION,
      kind: 'signed-distance',
      code: { ...frame.code, names: prepared.codeNames, how: object.how },
      model: sizes,
      network: learned.shape,
      training: {
        method: spec.method,
        seed: spec.seed,
        specHash,
        steps: learned.steps,
        poses,
        labels: poses * spec.pointsPerPose,
      },
      quality: null,
    },
    model,
    body,
    network: learned.tensors,
  }
  // Read back: the file rounds, and what is judged must be what it holds. The scalar backend: its bits do not depend on
  // what the host's SIMD rounds.
  const field = await loadField(decodeArtifact(encodeArtifact(artifact)), { backend: 'scalar' })
  const judged = await judges({
    threads,
    signal,
    timeIsUp: () => budgetUsed(options.budgetMinutes, began, BUDGET_ENDS.judges),
    onProgress: (fraction, detail) => report('evaluate', JUDGES * fraction, detail),
  })
  const before = simulated ? JUDGES : 0
  const measure = (of: PosedField, from: number, to: number): Promise<Quality> =>
    measureQuality(of, judged, {
      points: spec.evaluation.points,
      seed: spec.seed,
      domain: frame.domain,
      truncation: frame.truncation,
      signal,
      onProgress: (fraction) => {
        const done = before + (1 - before) * (from + (to - from) * fraction)
        report('evaluate', done, `${spec.evaluation.poses} unseen poses`)
      },
    })
  const deforms = frame.code.size > 0
  const quality = await measure(field, 0, deforms ? 0.5 : 1)
  const rest = deforms ? await measure(restField(judged.mesh, frame.code.size), 0.5, 1) : undefined
  const fault = faultOf(quality, rest && { name: 'its rest shape', quality: rest })
  // JSON has no NaN: a field that gives any has no figures, and says why.
  artifact.manifest.quality = Number.isFinite(quality.bandError.mean) ? quality : null
  if (fault !== undefined) artifact.manifest.fault = fault
  return {
    artifact: encodeArtifact(artifact),
    quality,
    fault,
    seconds: (performance.now() - began) / 1000,
    steps: learned.steps,
    specHash,
    drops: prepared.drops,
  }
}
