/**
 * First values of a network that does what a linear map does that keeps the first few numbers, each times a factor: small
 * data sets then begin at principal components, and learn what bends away from them. Further units begin at random, without
 * effect.
 */

import type { Random } from 'pliant'
import { type DenseShape, denseTensors } from 'pliant/unstable/dense'

/** Units that hand numbers through see them this small, where tanh is nearly straight. */
const GAIN = 0.3

/**
 * @param factors  what number i is multiplied by on its way to output i; others go nowhere
 */
export function linearStart(shape: DenseShape, factors: ArrayLike<number>, random: Random): Map<string, Float32Array> {
  const out = new Map(
    [...denseTensors(shape)].map(([name, dims]) => [name, new Float32Array(dims.reduce((a, b) => a * b, 1))]),
  )
  const first = out.get('dense.0.weight')!
  const [hidden] = shape.hidden
  if (hidden === undefined) {
    for (let i = 0; i < factors.length; i++) first[i * shape.outputs + i] = factors[i]
    return out
  }
  const spread = 1 / Math.sqrt(shape.inputs)
  const last = out.get('dense.1.weight')!
  const through = Math.min(hidden, factors.length)
  for (let i = 0; i < shape.inputs; i++) {
    for (let unit = through; unit < hidden; unit++) first[i * hidden + unit] = spread * random.normal()
  }
  // The smaller a factor the larger the number, as codes have spreads of about one on one of the two sides.
  for (let i = 0; i < through; i++) {
    const gain = GAIN * Math.max(1, factors[i])
    first[i * hidden + i] = gain
    last[i * shape.outputs + i] = factors[i] / gain
  }
  return out
}
