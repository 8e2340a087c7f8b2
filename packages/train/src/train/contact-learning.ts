/** What trainings of self-contact have in common, whether of joint angles or of learned codes: how specs become options, and judging. */
import type { Artifact, Progress } from 'pliant'
import type { CollisionStateNetwork } from 'pliant/character'
import type { OnProgress } from 'pliant/unstable'
import { contactFault } from '../evaluate/contact-verdict.js'
import { BadInput } from '../input/bad-input.js'
import { evaluateSelfContact } from '../kinds/evaluate.js'
import type { DepthLabels } from '../label/depth-labels.js'
import {
  COLLISION_STATE_LEARNING,
  type CollisionStateLearning,
  INITIAL_SHARE,
  stepsOfAll,
} from '../learn/collision-state/collision-state-options.js'
import { learnCollisionState } from '../learn/collision-state/learn-collision-state.js'
import type { LearnedNetwork } from '../learn/learned-network.js'
import { CLEARANCE_LEARNING, type ClearanceLearning } from '../learn/posed-contact/learn-clearances.js'
import type { ContactRun } from '../learn/self-contact/learned-contact.js'
import type { JobRun } from '../plan/planned-job.js'
import { CONTACT_STAGES } from '../plan/stages.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { Judged, PreparedTraining, StartOptions, Training } from './subject.js'

/** What a network tells beside its shape. */
export interface Told {
  /** Parts of each pair that it tells apart, two numbers. */
  pairs: ArrayLike<number>
  /** Clearance or depth [m] of a unit of the distance. */
  metres: number
}

export function clearanceLearning({ poses, steps, learningRate, network }: TrainSpec): ClearanceLearning {
  const { hidden, activation } = { ...CLEARANCE_LEARNING, ...network }
  const { pilot, tested } = CLEARANCE_LEARNING
  return {
    ...CLEARANCE_LEARNING,
    ...{ labels: poses, steps, learningRate, hidden, activation },
    // What comes before and after is worth less where little is learned.
    pilot: Math.min(pilot, poses),
    tested: Math.min(tested, poses),
  }
}

/** As many epochs as the paper takes, or as there are steps for. */
export function collisionLearning({ poses, steps, learningRate, network }: TrainSpec): CollisionStateLearning {
  const { bootstrap, update, encoder } = COLLISION_STATE_LEARNING
  const options: CollisionStateLearning = {
    ...COLLISION_STATE_LEARNING,
    labels: poses,
    initial: Math.max(1, Math.round(INITIAL_SHARE * poses)),
    bootstrap: { ...bootstrap, learningRate },
    update: { ...update, learningRate: (learningRate * update.learningRate) / bootstrap.learningRate },
    encoder: network.hidden ?? encoder,
  }
  return { ...options, effort: Math.min(1, steps / stepsOfAll(options)) }
}

/** By the paper's detector: it tells depths, and no pairs. */
export async function learnByCollisionState(
  labels: DepthLabels,
  options: CollisionStateLearning,
  run: ContactRun,
): Promise<LearnedNetwork<CollisionStateNetwork> & { tells: Told }> {
  const { shape, weights, labels: poses, steps } = await learnCollisionState(labels, options, run)
  const tells = { pairs: [], metres: shape.metres / shape.perDepth }
  return { network: { kind: 'collision-state', shape }, tensors: weights, steps, poses, tells }
}

/** What differs from subject to subject. */
export interface ContactSteps<Prepared extends PreparedTraining, Network> {
  /** Identifies all that is learned from but the seed. */
  specHash: string
  /** What rounds are of, such as `a character`. */
  roundsOf: string
  learn(prepared: Prepared, run: ContactRun & { onProgress: OnProgress }): Promise<LearnedNetwork<Network>>
  artifact(prepared: Prepared, learned: LearnedNetwork<Network>): Artifact
}

/** Rounds that label, learn and keep what they learned: nothing is rehearsed, and nothing cut by a budget. @throws BadInput of a budget */
export function contactTraining<Prepared extends PreparedTraining, Network>(
  spec: TrainSpec,
  { threads, signal, checkpointPath, resume, onWarning, budgetMinutes }: StartOptions,
  { specHash, roundsOf, learn, artifact }: ContactSteps<Prepared, Network>,
): Training<Prepared, Network> {
  if (budgetMinutes !== undefined) {
    throw new BadInput(
      `self-contact: rounds of ${roundsOf} cannot be cut by a budget; leave --budget out, and pass --poses and --steps to do less.`,
    )
  }
  return {
    stages: CONTACT_STAGES,
    counts: { poses: spec.poses, steps: spec.steps, judges: spec.evaluation.poses },
    isRehearsed: false,
    keepsItself: true,
    // What else there is to prepare, learning adds.
    prepare: async () => ({ specHash, made: spec.poses, toLabel: spec.poses }) as Prepared,
    learn(prepared, { checkpointSeconds }, run) {
      const onProgress = ({ fraction, stage, detail = '' }: Progress): void =>
        run.report('learn', fraction, `${stage}: ${detail}`)
      const learning = { seed: spec.seed, specHash, threads, signal, checkpointPath, resume, onWarning }
      return learn(prepared, { ...learning, checkpointSeconds, onProgress })
    },
    artifact,
    judge: (artifact, _, run) => judgeContact(spec, artifact, threads, signal, run),
  }
}

/** On codes that were never learned from. */
async function judgeContact(
  { evaluation: { poses: codes }, seed }: TrainSpec,
  artifact: Artifact,
  threads: number,
  signal: AbortSignal | undefined,
  run: JobRun,
): Promise<Judged> {
  const onProgress = ({ fraction }: Progress): void => run.report('evaluate', fraction, `${codes} unseen poses`)
  const quality = await evaluateSelfContact(artifact, { codes, seed, threads, signal, onProgress })
  return {
    quality,
    stored: Number.isFinite(quality.signAccuracy) ? quality : null,
    fault: contactFault(quality),
  }
}
