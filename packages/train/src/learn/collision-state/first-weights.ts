/** What learning the paper's collision detector begins with. */
import { type CollisionStateSizes, collisionStateTensors } from 'pliant/unstable'
import { streamOf } from '../../streams/random-streams.js'

/** Depths begin small, as most are: softplus(-3) is .05. */
const FIRST_DEPTH = -3

export function firstWeights(shape: CollisionStateSizes, seed: number): Map<string, Float32Array> {
  const { predictor, domains, state } = shape
  const weights = new Map(
    [...collisionStateTensors(shape)].map(([name, dims], i): [string, Float32Array] => {
      const random = streamOf('initialValues', seed, i)
      const size = dims.reduce((product, n) => product * n, 1)
      if (name.endsWith('.bias')) {
        return [name, new Float32Array(size).fill(name === `predictor.${predictor.length}.bias` ? FIRST_DEPTH : 0)]
      }
      // He et al. 2015: every domain's network begins as one by itself would.
      const spread = Math.sqrt(2 / dims[dims.length - 2])
      return [name, Float32Array.from({ length: size }, () => spread * random.normal())]
    }),
  )
  // What a domain with fewer entries than others never sees.
  const first = weights.get('predictor.0.weight')!
  const each = first.length / domains.length
  const width = weights.get('predictor.0.bias')!.length / domains.length
  domains.forEach(({ length }, i) => {
    first.fill(0, i * each + (state + length) * width, (i + 1) * each)
  })
  return weights
}
