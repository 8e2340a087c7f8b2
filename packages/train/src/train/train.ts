/** The main job: from a spec to an artifact. Object, frame, labelled samples, network, measured quality, one file. */

import {
  type CodeState,
  encode,
  FORMAT_VERSION,
  load,
  type MovingField,
  type NodeState,
  type ObjectArtifact,
  type Quality,
} from 'pliant'
import { measureQuality } from '../evaluate/quality.js'
import { restField } from '../evaluate/rest-field.js'
import { faultOf } from '../evaluate/verdict.js'
import { learnParts } from '../learn/frames/learn-parts.js'
import { learnWhole } from '../learn/learn-whole.js'
import type { LearnNetworkOptions } from '../learn/learned-network.js'
import { type JobOptions, type JobProgress, type JobRun, PlannedJob } from '../plan/planned-job.js'
import { DRAWN_STAGES, SIMULATED_STAGES } from '../plan/stages.js'
import type { DropReport } from '../poses/drop-poses.js'
import { type Checkpoints, checkpointsOf, type ResumableRun } from '../resume/checkpoint.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { loadTrainingObject, type TrainingObject } from '../subjects/training-object.js'

/** How far a training has come. */
export type TrainProgress = JobProgress

/** Where files are, how a run is saved and resumed, how long it may take, and who is told of it. */
export interface TrainOptions extends ResumableRun, JobOptions {
  /** What relative paths in the spec refer to; the working folder if not given. */
  folder?: string
  /** The spec's object, if it was loaded before. */
  object?: TrainingObject
  /** Threads that label and learn; with another number than the default, sums round otherwise and bytes differ. */
  threads?: number
}

/** A trained object, and how good it is. */
export interface Trained {
  /** The file's content. */
  artifact: Uint8Array<ArrayBuffer>
  /** Measured on poses that were never trained on. */
  quality: Quality
  /** Why the result must not be trusted, as its file says too; undefined if nothing is wrong with it. */
  fault: string | undefined
  /** How long it took [s]. */
  seconds: number
  /** Steps of learning that were taken: fewer than asked for if a budget ran out. */
  steps: number
  /** Poses that were trained on: fewer than asked for if a budget ran out. */
  poses: number
  /** Identifies spec and object; the same hash and seed give the same bytes. */
  specHash: string
  /** Of an elastic body: what became of the drops that its shapes come from. */
  drops?: DropReport
}

/** Not the machine's count: sums split over another number of threads round differently, and bytes would differ. */
export const TRAIN_THREADS = 2

/**
 * Trains an object from a spec to an artifact, and measures how good it is. The same spec and seed give the same
 * bytes on the same kind of machine, also across an interruption.
 * @throws Error in one line for a bad spec or object; the signal's reason when aborted, with the checkpoint saved
 */
export async function train(spec: TrainSpec, options: TrainOptions = {}): Promise<Trained> {
  const began = options.began ?? performance.now()
  const object = options.object ?? (await loadTrainingObject(spec, options.folder ?? '.'))
  const checkpoints = await checkpointsOf(options, object.specHash, spec.seed)
  const { resume } = checkpoints
  const wanted = {
    poses: resume?.poses?.made ?? spec.poses,
    steps: resume?.steps ?? spec.steps,
    judges: spec.evaluation.poses,
  }
  const job = new PlannedJob(object.simulated ? SIMULATED_STAGES : DRAWN_STAGES, wanted, { ...options, began })
  const kept = object.kept?.(options) ?? 0
  // Whoever has learned before has all poses.
  const hasPoses = kept > 0 && resume !== undefined
  const { checkpointPath, resume: goOn } = options
  // What a budget has cut is settled when learning begins: before that there is nothing to go on with.
  const resumable = options.budgetMinutes === undefined ? { checkpointPath, resume: goOn } : {}
  const made = await job.run(
    (run) =>
      run.isRehearsal
        ? makeArtifact(spec, object, { ...options, resumable: hasPoses ? resumable : {}, checkpoints: {} }, run)
        : makeArtifact(spec, object, { ...options, resumable, checkpoints }, run),
    { poses: hasPoses ? wanted.poses : kept, learn: resume?.state.step ?? 0 },
    object.simulated ? ['poses', 'judges'] : [],
  )
  return { ...made, specHash: object.specHash, seconds: (performance.now() - began) / 1000 }
}

/** Poses, labels, learning, judging: the whole job, for as many of each as the run says. */
async function makeArtifact(
  spec: TrainSpec,
  object: TrainingObject,
  options: TrainOptions & { checkpoints: Checkpoints; resumable: ResumableRun },
  run: JobRun,
): Promise<Omit<Trained, 'specHash' | 'seconds'>> {
  const { signal, threads = TRAIN_THREADS, checkpoints, resumable } = options
  const { counts, isRehearsal } = run
  const prepared = await object.prepare({
    ...resumable,
    onWarning: options.onWarning,
    threads,
    poses: counts.poses,
    isRehearsal,
    signal,
    timeIsUp: () => run.isOver('poses'),
    onProgress: (fraction, detail) => run.report('poses', fraction, detail),
    onModes: (fraction) => run.report('modes', fraction, 'modes of the poses'),
  })
  const { model, body, sizes, frame, judges } = prepared
  const shapes = prepared.shapes.codes.length
  const learning: LearnNetworkOptions = {
    resume: checkpoints.resume,
    labelled: checkpoints.resume?.poses?.labelled,
    onCheckpoint: async (steps, state, labelled) =>
      checkpoints.onCheckpoint?.(steps, state, { made: shapes, labelled }),
    threads,
    // A budget looks for itself how many there is time for.
    steps: isRehearsal ? counts.steps : spec.steps,
    signal,
    isOver: () => run.isOver('label'),
    secondsLeft: () => run.secondsFor('learn'),
    onLabel: (fraction) => run.report('label', fraction, `${shapes} poses x ${spec.pointsPerPose} points`),
    onProgress: (fraction, detail) => run.report('learn', fraction, detail),
  }
  const learned =
    body && spec.method === 'pliant'
      ? await learnParts(spec, { ...prepared, body }, learning)
      : await learnWhole(spec, prepared, learning)

  const artifact = {
    kind: sizes.kind,
    manifest: {
      format: FORMAT_VERSION,
      kind: 'signed-distance',
      name: frame.name,
      code: { ...frame.code, names: prepared.codeNames, how: object.how },
      model: sizes,
      networks: { distance: learned.network },
      truncation: frame.truncation,
      training: {
        method: spec.method,
        seed: spec.seed,
        specHash: object.specHash,
        steps: learned.steps,
        poses: learned.poses,
        labels: learned.poses * spec.pointsPerPose,
      },
      quality: null,
    },
    model,
    ...(body ? { body } : {}),
    networks: { distance: learned.tensors },
  } as ObjectArtifact
  // Read back: the file rounds, and what is judged must be what it holds. The scalar backend: its bits do not depend on
  // what the host's SIMD rounds.
  const field = await load(await encode(artifact), { backend: 'scalar' })
  const judged = await judges({
    threads,
    poses: counts.judges,
    isRehearsal,
    signal,
    timeIsUp: () => run.isOver('judges'),
    onProgress: (fraction, detail) => run.report('judges', fraction, detail),
  })
  const measure = (of: MovingField<CodeState & Partial<NodeState>>, from: number, to: number): Promise<Quality> =>
    measureQuality(of, judged, {
      points: spec.evaluation.points,
      seed: spec.seed,
      truncation: frame.truncation,
      signal,
      onProgress: (fraction) =>
        run.report('evaluate', from + (to - from) * fraction, `${judged.codes.length} unseen poses`),
    })
  const deforms = frame.code.size > 0
  const quality = await measure(field, 0, deforms ? 0.5 : 1)
  const rest = deforms ? await measure(restField(judged.mesh), 0.5, 1) : undefined
  const fault = faultOf(quality, rest && { name: 'its rest shape', quality: rest })
  // JSON has no NaN: a field that gives any has no figures, and says why.
  artifact.manifest.quality = Number.isFinite(quality.bandError.mean) ? quality : null
  if (fault !== undefined) artifact.manifest.fault = fault
  return {
    artifact: await encode(artifact),
    quality,
    fault,
    steps: learned.steps,
    poses: learned.poses,
    drops: prepared.drops,
  }
}
