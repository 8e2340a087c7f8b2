/** What learning a network takes and gives, whichever network it is. */
import type { ObjectNetworkShape } from 'pliant'
import type { RunStepsOptions } from './run-steps.js'

export interface LearnNetworkOptions extends Omit<RunStepsOptions, 'budgetSeconds'> {
  threads: number
  /** Seconds that may still be spent on learning, when it begins; undefined: all it takes. */
  secondsLeft?: () => number | undefined
  /** @param fraction of the poses that are labelled */
  onLabel?: (fraction: number) => void
}

export interface LearnedNetwork {
  shape: ObjectNetworkShape
  tensors: Map<string, Float32Array>
  steps: number
}
