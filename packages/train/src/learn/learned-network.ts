/** What learning a network takes and gives, whichever network it is. */
import type { ObjectArtifact } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import type { TrainingState } from '../graph/index.js'
import type { RunStepsOptions } from './run-steps.js'

export interface LearnNetworkOptions extends Omit<RunStepsOptions, 'budgetSeconds' | 'onCheckpoint'> {
  threads: number
  steps: number
  /** As in `runSteps`; how many poses are labelled is kept too. */
  onCheckpoint?: (steps: number, state: TrainingState, labelled: number) => Promise<void>
  /** Of a run that goes on: poses that it had labelled; all of them if not given. */
  labelled?: number
  /** Whether there is no more time to label. */
  isOver?: () => boolean
  /** Seconds that may still be spent on learning, when it begins; undefined: all it takes. */
  secondsLeft?: () => number | undefined
  /** Told which part of the poses is labelled. */
  onLabel?: OnProgress
}

export interface LearnedNetwork<Network = ObjectArtifact['manifest']['networks']['distance']> {
  network: Network
  tensors: Map<string, Float32Array>
  steps: number
  /** Poses that were labelled: fewer than there are if a budget ran out. */
  poses: number
}
