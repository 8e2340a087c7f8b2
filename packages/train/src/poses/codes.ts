/** Codes to train and to judge on: uniform in the code's range, from streams of random numbers that never meet. */
import type { ReducedModel } from 'pliant'
import { streamOf } from '../streams/random-streams.js'

/** What codes are drawn for; no code to judge by is ever a training code. */
const USES = {
  train: 'trainingCodes',
  frame: 'frameCodes',
  evaluate: 'evaluationCodes',
  bench: 'benchCodes',
} as const

export function drawCodes(
  model: Pick<ReducedModel, 'codeSize' | 'bounds'>,
  count: number,
  seed: number,
  purpose: keyof typeof USES,
): Float64Array[] {
  const random = streamOf(USES[purpose], seed)
  const { lower, upper } = model.bounds
  return Array.from({ length: count }, () =>
    Float64Array.from({ length: model.codeSize }, (_, i) => random.between(lower[i], upper[i])),
  )
}
