/** Codes to train and to judge on: uniform in the code's range, from streams of random numbers that never meet. */
import { type ReducedModel, randomStream } from 'pliant'

/** What codes are drawn for; each purpose has its own random stream, so that no test code is ever a training code. */
const STREAMS = { train: 1, frame: 2, evaluate: 3, bench: 4 } as const

export function drawCodes(
  model: Pick<ReducedModel, 'codeSize' | 'bounds'>,
  count: number,
  seed: number,
  purpose: keyof typeof STREAMS,
): Float64Array[] {
  const random = randomStream(seed, STREAMS[purpose])
  const { lower, upper } = model.bounds
  return Array.from({ length: count }, () =>
    Float64Array.from({ length: model.codeSize }, (_, i) => random.between(lower[i], upper[i])),
  )
}
