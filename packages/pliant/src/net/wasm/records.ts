/**
 * The tables through which JavaScript tells the kernels what to run: records of 32-bit words in WebAssembly memory,
 * each field named once here and used on both sides. "scratch" fields are byte offsets from the running thread's own
 * scratch block, all other addresses are absolute; strides are in bytes.
 */

/** Byte offset of each field, and of the whole. */
export function record<const F extends string>(fields: readonly F[]): { at: Record<F, number>; size: number } {
  const at = Object.fromEntries(fields.map((field, i) => [field, 4 * i])) as Record<F, number>
  return { at, size: 4 * fields.length }
}

/** One batch query: evaluate, or evaluate and gradient. */
export const PROGRAM = record([
  'points', // xyz triples
  'values',
  'gradients', // xyz triples
  'grids', // array of GRID records, the warp first if there is one
  'gridsEnd',
  'hasWarp',
  'features', // scratch: h0, one row per point
  'featureStride',
  'forward', // array of DENSE records
  'forwardEnd',
  'lastInput', // scratch: outputs of the last hidden layer, or h0
  'lastStride',
  'lastWeight',
  'lastBias',
  'isTanh', // whether tanh follows the last layer
  'seeds', // scratch: derivative of the output activation, one per point
  'backward', // array of DENSE records
  'backwardEnd',
  'featureGradient', // scratch: gradient with respect to h0
  'wantsGradient',
])

/** out = finish(in * weight), rows of points; see dense.ts. */
export const DENSE = record([
  'from', // scratch
  'fromStride',
  'to', // scratch
  'toStride',
  'weight', // packed panels
  'inputs',
  'panels', // outputs / 16
  'finish', // FINISH
  'beside', // bias (absolute), or slopes or activations (scratch)
  'floor', // float: 0 for relu, -infinity for none
  'activation', // ACTIVATION that follows, written in place
  'slopes', // scratch: receives its derivative
])

/** How a dense kernel ends: forward adds a bias; backward multiplies by the slope, or cuts where relu was off. */
export const FINISH = { bias: 0, slope: 1, mask: 2 } as const

/** Activations that run as a pass of their own; relu is part of the dense kernel. */
export const ACTIVATION = { none: 0, silu: 1, tanh: 2, elu: 3, softplus: 4 } as const

/** A trilinear grid, channels padded to fours. The first five are vectors of four lanes: x, y, z and an unused one. */
export const GRID = {
  at: { lower: 0, scale: 16, last: 32, lastCell: 48, strides: 64, data: 80, chunks: 84, feature: 88 },
  size: 96,
} as const

/** Points that go through all layers together: 32 rows of 128 floats and a panel of weights fit the first-level cache. */
export const TILE = 32
