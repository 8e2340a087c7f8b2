/** The main job: from a spec to an artifact. What it names, poses, labels, network, measured quality, one file. */
import { decode, type Envelope, type KindName, type PointKindName } from 'pliant'
import { encode } from 'pliant/unstable'
import type { LearnNetworkOptions } from '../learn/learned-network.js'
import { type JobOptions, type JobProgress, type JobRun, PlannedJob } from '../plan/planned-job.js'
import { type Checkpoints, checkpointsOf, type ResumableRun } from '../resume/checkpoint.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { LoadedSubject, PreparedTraining, QualityOf, StartOptions, SubjectReport, Training } from './subject.js'
import { loadSubject } from './subjects.js'

/** How far a training has come. */
export type TrainProgress = JobProgress

/** Where files are, how a run is saved and resumed, how long it may take, and who is told of it. */
export interface TrainOptions extends ResumableRun, JobOptions {
  /** What relative paths in the spec refer to; the working folder if not given. */
  folder?: string
  /** What the spec names, if it was loaded before or made in code. */
  subject?: LoadedSubject
  /** Threads that label and learn; with another number than the default, sums round otherwise and bytes differ. */
  threads?: number
  /** Between checkpoints [s]. */
  checkpointSeconds?: number
}

/** A trained file, and how good it is. */
export interface Trained<Kind extends KindName = PointKindName> extends SubjectReport {
  /** The file's content. */
  artifact: Uint8Array<ArrayBuffer>
  /** Measured on poses that were never trained on. */
  quality: QualityOf<Kind>
  /** Why the result must not be trusted, as its file says too; undefined if nothing is wrong with it. */
  fault: string | undefined
  /** How long it took [s]. */
  seconds: number
  /** Steps of learning that were taken: fewer than asked for if a budget ran out. */
  steps: number
  /** Poses that were trained on: fewer than asked for if a budget ran out. */
  poses: number
  /** Identifies all that was learned from but the seed: the same hash and seed give the same bytes. */
  specHash: string
}

/** Not the machine's count: sums split over another number of threads round differently, and bytes would differ. */
export const TRAIN_THREADS = 2

/**
 * Trains what a spec says. The same spec and seed give the same bytes on the same kind of machine, also across an interruption.
 * @typeParam Kind  what the spec's subject is trained into, where its figures are not those of points
 * @throws Error in one line for a bad spec or subject; the signal's reason when aborted, with the checkpoint saved
 */
export async function train<Kind extends KindName = PointKindName>(
  spec: TrainSpec,
  options: TrainOptions = {},
): Promise<Trained<Kind>> {
  const began = options.began ?? performance.now()
  const subject = options.subject ?? (await loadSubject(spec, options.folder))
  const starting = { ...options, threads: options.threads ?? TRAIN_THREADS }
  const training = await subject.start(starting)
  const { stages, counts, isRehearsed } = training
  const job = new PlannedJob(stages, counts, { ...options, began, isRehearsed })
  await training.ready?.((stage, ofStage, detail) => job.report(stage, ofStage, detail))
  const made = await job.run((run) => makeArtifact(spec, training, starting, run), training.done, training.rehearsed)
  return { ...made, quality: made.quality as QualityOf<Kind>, seconds: (performance.now() - began) / 1000 }
}

/** Poses, labels, learning, judging: the whole job, for as many of each as the run says. */
async function makeArtifact(
  spec: TrainSpec,
  training: Training,
  options: StartOptions & TrainOptions,
  run: JobRun,
): Promise<Omit<Trained<KindName>, 'seconds'>> {
  const prepared = await training.prepare(run)
  const learned = await training.learn(prepared, await learningOptions(spec, training, prepared, options, run), run)
  // Read back: the file rounds, and what is judged must be what it holds.
  const artifact = await decode(await encode(training.artifact(prepared, learned, run)))
  const { quality, stored, fault, ...report } = await training.judge(artifact, prepared, run)
  const manifest: Envelope = artifact.manifest
  manifest.quality = stored
  if (fault !== undefined) manifest.fault = fault
  const { steps, poses } = learned
  return { artifact: await encode(artifact), quality, fault, steps, poses, specHash: prepared.specHash, ...report }
}

/** @throws BadInput if there is a checkpoint to go on from and it is of another run */
async function learningOptions(
  spec: TrainSpec,
  { keepsItself = false }: Training,
  { specHash, made, toLabel }: PreparedTraining,
  options: StartOptions & TrainOptions,
  run: JobRun,
): Promise<LearnNetworkOptions> {
  // Also in a rehearsal, which does not go on from it: one of another run is refused before anything takes long.
  const saved = keepsItself ? {} : await checkpointsOf(options, specHash, spec.seed)
  const { resume, onCheckpoint }: Checkpoints = run.isRehearsal ? {} : saved
  const { threads, signal, checkpointSeconds } = options
  const labelled = resume?.poses?.labelled ?? toLabel
  return {
    resume,
    labelled,
    onCheckpoint: async (steps, state, count) => onCheckpoint?.(steps, state, { made, labelled: count }),
    checkpointSeconds,
    threads,
    // A budget looks for itself how many there is time for.
    steps: run.isRehearsal ? run.counts.steps : spec.steps,
    signal,
    isOver: () => run.isOver('label'),
    secondsLeft: () => run.secondsFor('learn'),
    onLabel: ({ fraction }) => run.report('label', fraction, `${labelled} poses x ${spec.pointsPerPose} points`),
    onProgress: ({ fraction, detail = '' }) => run.report('learn', fraction, detail),
  }
}
