/**
 * Features as numbers about zero: less their mean, over one scale for all channels. A turn by a radian and a stretch by one
 * move a vertex's neighbours about as much, so that errors of both count by what they do; with a range of its own for each
 * channel (algorithms.md 3.2, not tried here) small stretches would count as much as large turns. The largest number is 0.95.
 */
import type { Floats } from 'pliant'

export interface ShapeNumbers {
  mean: Float32Array
  scale: number
  /** Of each shape. */
  rows: Float32Array[]
}

const LARGEST = 0.95

/** @param features  of each shape; none of them may be missing */
export function shapeNumbers(features: readonly Floats[]): ShapeNumbers {
  const size = features[0].length
  const sum = new Float64Array(size)
  for (const shape of features) for (let i = 0; i < size; i++) sum[i] += shape[i]
  const mean = Float32Array.from(sum, (value) => value / features.length)
  let largest = 0
  for (const shape of features) for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(shape[i] - mean[i]))
  const scale = largest / LARGEST
  const rows = features.map((shape) => Float32Array.from(mean, (middle, i) => (shape[i] - middle) / scale))
  return { mean, scale, rows }
}
