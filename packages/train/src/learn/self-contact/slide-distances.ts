/**
 * Distances to the learned boundary f = 0: from the nearest points that are known to lie on the true one, each code's
 * nearest point slides along f = 0 towards it. Where f tells signs well this is the distance in the space of codes to better
 * than any cloud of samples tells it; no exact test is needed.
 */
import type { ContactLabels } from '../../label/contact-labels.js'
import type { Weights } from '../rounds/index.js'
import type { ContactNetwork } from './contact-network.js'
import { newtonStep } from './near-boundary.js'
import type { PointCloud } from './point-cloud.js'

/** Slides, and which share of the way along the tangent each goes. */
const SLIDES = 12
const SHARE = 0.6

/** How far from f = 0 a point may end to count, in the unit of the code. */
const ON_BOUNDARY = 2e-3

/** @param clouds  points of the boundary; each gives one start */
export async function slideDistances(
  network: ContactNetwork,
  weights: Weights,
  bounds: ContactLabels['bounds'],
  clouds: readonly { points: Float32Array; tree: PointCloud }[],
  codes: Float32Array,
): Promise<Float32Array> {
  const size = bounds.lower.length
  const signs = await network.valuesAt(weights, codes)
  const nearest = new Float32Array(signs.length).fill(Infinity)
  for (const { points, tree } of clouds) {
    const feet = new Float32Array(codes.length)
    for (let i = 0; i < signs.length; i++) {
      const start = tree.nearest(codes, i * size)
      feet.set(points.subarray(start * size, (start + 1) * size), i * size)
      nearest[i] = Math.min(nearest[i], distanceBetween(codes, feet, i * size, size))
    }
    for (let slide = 0; slide < SLIDES; slide++) {
      const { values, gradients } = await network.gradientsAt(weights, feet)
      newtonStep(feet, values, gradients, bounds)
      if (slide < SLIDES - 2) slideAlong(feet, gradients, codes, bounds)
    }
    const values = await network.valuesAt(weights, feet)
    for (let i = 0; i < signs.length; i++) {
      if (Math.abs(values[i]) < ON_BOUNDARY)
        nearest[i] = Math.min(nearest[i], distanceBetween(codes, feet, i * size, size))
    }
  }
  return nearest.map((distance, i) => (signs[i] < 0 ? -distance : distance))
}

/** A share of what of the way to the code lies in the tangent plane. */
function slideAlong(
  feet: Float32Array,
  gradients: Float32Array,
  codes: Float32Array,
  { lower, upper }: ContactLabels['bounds'],
): void {
  const size = lower.length
  for (let o = 0; o < feet.length; o += size) {
    let [along, squared] = [0, 0]
    for (let k = 0; k < size; k++) {
      along += gradients[o + k] * (codes[o + k] - feet[o + k])
      squared += gradients[o + k] ** 2
    }
    const factor = squared > 0 ? along / squared : 0
    for (let k = 0; k < size; k++) {
      const moved = feet[o + k] + SHARE * (codes[o + k] - feet[o + k] - factor * gradients[o + k])
      feet[o + k] = Math.min(upper[k], Math.max(lower[k], moved))
    }
  }
}

function distanceBetween(a: Float32Array, b: Float32Array, o: number, size: number): number {
  let squared = 0
  for (let k = 0; k < size; k++) squared += (a[o + k] - b[o + k]) ** 2
  return Math.sqrt(squared)
}
