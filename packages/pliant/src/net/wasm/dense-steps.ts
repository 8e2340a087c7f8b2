/**
 * Dense layers as lists of DENSE records (records.ts): there, and back by the transposed weights. Rows of a tile lie in a
 * thread's scratch block, which is laid out here too.
 */
import type { Arena } from '../../math/wasm/arena.js'
import type { Values } from '../../math/wasm/records.js'
import type { Activation } from '../dense/dense-shape.js'
import { PANEL, packedRows, packMatrix, padVector, roundUp, transposed } from './pack.js'
import { ACTIVATION, type DENSE, FINISH, TILE } from './records.js'

export type Step = Values<typeof DENSE>

/** A layer in memory: weights in panels, their transposed copy in panels of so many rows. */
export interface PackedLayer {
  inputs: number
  outputs: number
  weight: number
  bias: number
  transposed: number
  transposedRows: number
}

/** @param weight  row-major [inputs, outputs] */
export function packLayer(
  weight: Float32Array,
  bias: Float32Array,
  inputs: number,
  outputs: number,
  arena: Arena,
): PackedLayer {
  return {
    inputs,
    outputs,
    weight: arena.place(packMatrix(weight, inputs, outputs)),
    bias: arena.place(padVector(bias)),
    transposed: arena.place(packMatrix(transposed(weight, inputs, outputs), outputs, inputs)),
    transposedRows: packedRows(outputs),
  }
}

/** Rows of a tile: byte offset within the scratch block, bytes from row to row. */
export interface Rows {
  at: number
  stride: number
}

/** Lays out a scratch block. */
export class ScratchPlan {
  /** Words so far. */
  size = 0

  /** Room for a tile's rows of so many words. */
  rows(width: number): Rows {
    const at = 4 * this.size
    this.size += TILE * width
    return { at, stride: 4 * width }
  }
}

/** Where the rows of a network's layers are in scratch. */
export interface LayerRows {
  /** Outputs of each layer, and their slopes, kept for the way back. */
  outputs: Rows[]
  slopes: Rows[]
  /** Two buffers that take turns: outputs when nothing is kept, gradients on the way back. */
  turns: [Rows, Rows]
  /** Slopes that nobody reads. */
  spare: Rows
}

/** @param features  words of an input row */
export function planLayerRows(scratch: ScratchPlan, features: number, outputs: readonly number[]): LayerRows {
  const widths = outputs.map((width) => roundUp(width, PANEL))
  const widest = Math.max(features, ...widths)
  return {
    outputs: widths.map((width) => scratch.rows(width)),
    slopes: widths.map((width) => scratch.rows(width)),
    turns: [scratch.rows(widest), scratch.rows(widest)],
    spare: scratch.rows(widest),
  }
}

/** @param keeps  whether a way back will follow */
export function forwardSteps(
  layers: readonly PackedLayer[],
  activations: readonly (Activation | 'linear')[],
  features: Rows,
  rows: LayerRows,
  keeps: boolean,
): Step[] {
  let from = features
  return layers.map((layer, l) => {
    const activation = activations[l]
    const to = keeps ? rows.outputs[l] : { at: rows.turns[l % 2].at, stride: rows.outputs[l].stride }
    const step: Step = {
      from: from.at,
      fromStride: from.stride,
      to: to.at,
      toStride: to.stride,
      weight: layer.weight,
      inputs: packedRows(layer.inputs),
      panels: Math.ceil(layer.outputs / PANEL),
      finish: FINISH.bias,
      beside: layer.bias,
      floor: activation === 'relu' ? 0 : -Infinity,
      activation: activation === 'relu' || activation === 'linear' ? ACTIVATION.none : ACTIVATION[activation],
      slopes: keeps ? rows.slopes[l].at : rows.spare.at,
    }
    from = to
    return step
  })
}

/**
 * From the gradient over the last layer's sums back to that over the inputs.
 * @param activation  behind every layer but the last, whose slopes are in the seeds already
 * @param zeros       address of a bias of zeros, as wide as the inputs: what reaches them meets no activation
 */
export function backwardSteps(
  layers: readonly PackedLayer[],
  activation: Activation,
  seeds: Rows,
  rows: LayerRows,
  featureGradient: Rows,
  zeros: number,
): Step[] {
  let from = seeds
  return layers.map((_, back) => {
    const l = layers.length - 1 - back
    const { inputs, transposed, transposedRows } = layers[l]
    const below = l === 0 ? undefined : rows.outputs[l - 1]
    const to = below ? { at: rows.turns[l % 2].at, stride: below.stride } : featureGradient
    const cut = activation === 'relu'
    const step: Step = {
      from: from.at,
      fromStride: from.stride,
      to: to.at,
      toStride: to.stride,
      weight: transposed,
      inputs: transposedRows,
      panels: Math.ceil(inputs / PANEL),
      finish: below ? (cut ? FINISH.mask : FINISH.slope) : FINISH.bias,
      beside: below ? (cut ? below : rows.slopes[l - 1]).at : zeros,
      floor: -Infinity,
      activation: ACTIVATION.none,
      slopes: 0,
    }
    from = to
    return step
  })
}
