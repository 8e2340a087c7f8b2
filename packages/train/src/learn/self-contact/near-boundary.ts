/**
 * Codes at the learned boundary: drawn ones, brought there by Newton's method. The paper draws a pool and takes what lies
 * nearest, which in seven dimensions is not near; this is what its authors would try next (Cai et al., section 7.2).
 */
import type { Random } from 'pliant'
import type { ContactLabels } from '../../label/contact-labels.js'
import type { Weights } from '../rounds/index.js'
import type { ContactNetwork } from './contact-network.js'

/** Newton's steps, and how far one goes at most, in the unit of the code. */
const STEPS = 3
const LONGEST = 0.5

/** @returns codes, and the unit direction towards free ones at each */
export async function codesNearBoundary(
  network: ContactNetwork,
  weights: Weights,
  labels: Pick<ContactLabels, 'bounds' | 'draw'>,
  count: number,
  random: Random,
): Promise<{ codes: Float32Array; directions: Float32Array }> {
  const { bounds } = labels
  const codes = labels.draw(count, random)
  for (let step = 0; step < STEPS; step++) {
    const { values, gradients } = await network.gradientsAt(weights, codes)
    newtonStep(codes, values, gradients, bounds)
  }
  const { gradients } = await network.gradientsAt(weights, codes)
  return { codes, directions: unitRows(gradients, bounds.lower.length) }
}

/** Towards f = 0, each code for itself, within the box. */
export function newtonStep(
  codes: Float32Array,
  values: Float32Array,
  gradients: Float32Array,
  { lower, upper }: ContactLabels['bounds'],
): void {
  const size = lower.length
  for (let i = 0; i < values.length; i++) {
    let squared = 0
    for (let k = 0; k < size; k++) squared += gradients[i * size + k] ** 2
    if (!(squared > 0)) continue
    const length = Math.abs(values[i]) / Math.sqrt(squared)
    const factor = (values[i] / squared) * Math.min(1, LONGEST / length)
    for (let k = 0; k < size; k++) {
      const at = i * size + k
      codes[at] = Math.min(upper[k], Math.max(lower[k], codes[at] - factor * gradients[at]))
    }
  }
}

function unitRows(vectors: Float32Array, size: number): Float32Array {
  const out = vectors.slice()
  for (let o = 0; o < out.length; o += size) {
    let squared = 0
    for (let k = 0; k < size; k++) squared += out[o + k] ** 2
    const factor = squared > 0 ? 1 / Math.sqrt(squared) : 0
    for (let k = 0; k < size; k++) out[o + k] *= factor
  }
  return out
}
