/** What trainings of self-contact have in common, whether of joint angles or of learned codes: how specs become options, and judging. */
import type { Artifact, Progress } from 'pliant'
import { contactFault } from '../evaluate/contact-verdict.js'
import { evaluateSelfContact } from '../kinds/evaluate.js'
import {
  COLLISION_STATE_LEARNING,
  type CollisionStateLearning,
  INITIAL_SHARE,
  stepsOfAll,
} from '../learn/collision-state/collision-state-options.js'
import { CLEARANCE_LEARNING, type ClearanceLearning } from '../learn/posed-contact/learn-clearances.js'
import type { JobRun } from '../plan/planned-job.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { Judged } from './subject.js'

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

/** On codes that were never learned from. */
export async function judgeContact(
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
