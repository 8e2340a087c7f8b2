/** All that a training step is in the middle of, as named arrays such as rounds keep: parameters, moments, steps done. */
import type { TrainingState } from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'

const STEP = 'steps done'

export function weightsOfState({ step, tensors }: TrainingState): Weights {
  return new Map([...tensors, [STEP, Float32Array.of(step)]])
}

export function stateOfWeights(weights: Weights): TrainingState {
  const tensors = new Map(weights)
  tensors.delete(STEP)
  return { step: weights.get(STEP)![0], tensors }
}
