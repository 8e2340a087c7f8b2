/**
 * The records through which JavaScript tells the kernels what to run. "scratch" fields are byte offsets from the running
 * thread's own scratch block, all other addresses are absolute; strides are in bytes.
 */
import { record } from '../../math/wasm/records.js'

/** One batch query: evaluate, or evaluate and gradient. */
export const PROGRAM = record({
  /** xyz triples. */
  points: 'u32',
  values: 'u32',
  /** xyz triples. */
  gradients: 'u32',
  /** Array of GRID records, the warp first if there is one. */
  grids: 'u32',
  gridsEnd: 'u32',
  hasWarp: 'u32',
  /** scratch: h0, one row per point. */
  features: 'u32',
  featureStride: 'u32',
  /** Array of DENSE records. */
  forward: 'u32',
  forwardEnd: 'u32',
  /** scratch: outputs of the last hidden layer, or h0. */
  lastInput: 'u32',
  lastStride: 'u32',
  lastWeight: 'u32',
  lastBias: 'u32',
  /** Whether tanh follows the last layer. */
  isTanh: 'u32',
  /** scratch: derivative of the output activation, one per point. */
  seeds: 'u32',
  /** Array of DENSE records. */
  backward: 'u32',
  backwardEnd: 'u32',
  /** scratch: gradient with respect to h0. */
  featureGradient: 'u32',
  wantsGradient: 'u32',
})

/** out = finish(in * weight), rows of points; see dense.ts. */
export const DENSE = record({
  /** scratch */
  from: 'u32',
  fromStride: 'u32',
  /** scratch */
  to: 'u32',
  toStride: 'u32',
  /** Packed panels. */
  weight: 'u32',
  inputs: 'u32',
  /** outputs / 16 */
  panels: 'u32',
  /** FINISH */
  finish: 'u32',
  /** Bias (absolute), or slopes or activations (scratch). */
  beside: 'u32',
  /** 0 for relu, -infinity for none. */
  floor: 'f32',
  /** ACTIVATION that follows, written in place. */
  activation: 'u32',
  /** scratch: receives its derivative. */
  slopes: 'u32',
})

/** How a dense kernel ends: forward adds a bias; backward multiplies by the slope, or cuts where relu was off. */
export const FINISH = { bias: 0, slope: 1, mask: 2 } as const

/** Activations that run as a pass of their own; relu is part of the dense kernel. */
export const ACTIVATION = { none: 0, silu: 1, tanh: 2, elu: 3, softplus: 4 } as const

/** A trilinear grid, channels padded to fours. The first five hold x, y, z and an unused lane. */
export const GRID = record(
  {
    lower: 'f32x4',
    /** Nodes per unit. */
    scale: 'f32x4',
    /** Last node, last cell. */
    last: 'f32x4',
    lastCell: 'u32x4',
    /** Bytes from node to node. */
    strides: 'u32x4',
    data: 'u32',
    /** channels / 4 */
    chunks: 'u32',
    /** Where its channels begin within a row of features [bytes]. */
    feature: 'u32',
  },
  96,
)

/** Points that go through all layers together: 32 rows of 128 floats and a panel of weights fit the first-level cache. */
export const TILE = 32
