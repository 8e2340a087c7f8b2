/**
 * A subject is something that can be trained: what a spec may say of it, how it is read, and what its training consists
 * of. A new one is a file with one of these, and a line in subjects.ts.
 */
import type { Artifact, KindName } from 'pliant'
import type { SeenError } from 'pliant/character'
import type { NamedFiles } from '../input/named-files.js'
import type { LearnedNetwork, LearnNetworkOptions } from '../learn/learned-network.js'
import type { JobOptions, JobRun } from '../plan/planned-job.js'
import type { Counts, Done, Stage } from '../plan/stages.js'
import type { DropReport } from '../poses/drop-poses.js'
import type { ResumableRun } from '../resume/checkpoint.js'
import type { SpecModel } from '../spec/spec-model.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { LoadOptions } from '../subjects/training-object.js'
import type { CollisionSurfaceReport } from '../surface/collision-surface.js'

export interface Subject<Model = Readonly<Record<string, unknown>>> {
  model: SpecModel
  /** @throws Error in one line if what the spec names cannot be read or trained on */
  load(spec: TrainSpec, model: Model, files: NamedFiles, options: LoadOptions): Promise<LoadedSubject>
}

/** Read, and ready to be trained. */
export interface LoadedSubject {
  /** Of its artifact. */
  kind: Artifact['kind']
  /**
   * Plans the training, with the checkpoint of an interrupted one if there is one; `train` calls it.
   * @internal
   */
  start(options: StartOptions): Promise<Training>
}

export interface StartOptions extends ResumableRun {
  threads: number
  budgetMinutes?: number
  onEstimate?: JobOptions['onEstimate']
  signal?: AbortSignal
}

/**
 * One training, stage by stage. `train` goes from `prepare` to `judge` twice: with a few poses and steps, to see how long
 * they take, then in full, or as far as a budget has time for.
 */
export interface Training<Prepared extends PreparedTraining = PreparedTraining, Network = unknown> {
  /** In their order. */
  stages: readonly Stage[]
  /** How much of it is wanted. */
  counts: Counts
  /** What a stopped run has left. */
  done?: Done
  /** Whether a few poses and steps tell how long all of it takes; true if not given. */
  isRehearsed?: boolean
  /** Whether learning keeps its own checkpoints; by default `train` gives it those of its steps. */
  keepsItself?: boolean
  /** Stages of which a rehearsal's units are kept. */
  rehearsed?: readonly Stage[]
  /** What comes once, before either. */
  ready?(report: JobRun['report']): Promise<void>
  /** Poses to train on, and what they settle. */
  prepare(run: JobRun): Promise<Prepared>
  learn(prepared: Prepared, options: LearnNetworkOptions, run: JobRun): Promise<LearnedNetwork<Network>>
  /** The file's content, not judged yet. */
  artifact(prepared: Prepared, learned: LearnedNetwork<Network>, run: JobRun): Artifact
  /** @param artifact as it was read back */
  judge(artifact: Artifact, prepared: Prepared, run: JobRun): Promise<Judged>
}

export interface PreparedTraining {
  /** Identifies all that is learned from but the seed. */
  specHash: string
  /** Poses that there are, and how many of them to label in this run. */
  made: number
  toLabel: number
}

export interface Judged extends SubjectReport {
  /** In figures of what the file answers. */
  quality: QualityOf<KindName>
  /** The same as the file is to say it; null if there are no figures, as the answers are no numbers. */
  stored: Artifact['manifest']['quality']
  /** Why the result must not be trusted, in one line; undefined if nothing is wrong with it. */
  fault: string | undefined
}

/** How good files of a kind are measured to be. */
export type QualityOf<Kind extends KindName> = NonNullable<Artifact<Kind>['manifest']['quality']>

/** What some subjects tell beside the quality. */
export interface SubjectReport {
  /** Of an elastic body: what became of the drops that its shapes come from. */
  drops?: DropReport
  /** Of a character: how its collision surface was made of its meshes. */
  surface?: CollisionSurfaceReport
  /** Of a character: against its meshes as they came, if the surface is another. */
  seenError?: SeenError
}
