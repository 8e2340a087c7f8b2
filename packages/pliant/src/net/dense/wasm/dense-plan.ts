/** A dense network in WebAssembly memory: packed tensors, staging rows, programs, scratch layout. */
import type { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import {
  backwardSteps,
  forwardSteps,
  type PackedLayer,
  packLayer,
  planLayerRows,
  ScratchPlan,
} from '../../wasm/dense-steps.js'
import { PANEL, roundUp } from '../../wasm/pack.js'
import { DENSE, TILE } from '../../wasm/records.js'
import { type DenseShape, denseWidths } from '../dense-shape.js'
import { DENSE_PROGRAM } from './dense-kernels.js'

/** Rows per trip through the staging buffers, and floats that one of these may hold unless a tile needs more. */
const MOST_ROWS = 4096
const MOST_FLOATS = 2 ** 18

/** Rows in memory, padded with zeros: address [bytes], floats of a row that count, floats from row to row. */
export interface StagedRows {
  address: number
  width: number
  stride: number
}

export interface DensePlan {
  inputs: StagedRows
  gradients: StagedRows
  values: StagedRows
  cotangents: StagedRows
  /** Rows that the staging buffers hold. */
  capacity: number
  evaluate: number
  pullBack: number
  /** Words of scratch that each thread needs. */
  scratchSize: number
}

export function planDense(shape: DenseShape, tensors: Tensors, arena: Arena): DensePlan {
  const layers = packLayers(shape, tensors, arena)
  const [inputStride, valueStride] = [roundUp(shape.inputs, PANEL), roundUp(shape.outputs, PANEL)]
  const fitting = Math.floor(MOST_FLOATS / Math.max(inputStride, valueStride) / TILE) * TILE
  const capacity = Math.min(MOST_ROWS, Math.max(TILE, fitting))
  const staged = (width: number, stride: number): StagedRows => ({
    address: arena.reserve(capacity * stride),
    width,
    stride,
  })
  const [inputs, gradients] = [0, 1].map(() => staged(shape.inputs, inputStride))
  const [values, cotangents] = [0, 1].map(() => staged(shape.outputs, valueStride))

  const scratch = new ScratchPlan()
  const [features, featureGradient] = [scratch.rows(inputStride), scratch.rows(inputStride)]
  const seeds = scratch.rows(valueStride)
  const rows = planLayerRows(scratch, inputStride, [...shape.hidden, shape.outputs])
  const zeros = arena.reserve(inputStride)
  const activations = [...shape.hidden.map(() => shape.activation), shape.output]
  const write = (wantsGradient: boolean): number => {
    const forward = forwardSteps(layers, activations, features, rows, wantsGradient)
    const backward = wantsGradient ? backwardSteps(layers, shape.activation, seeds, rows, featureGradient, zeros) : []
    const [forwardAt, backwardAt] = [arena.place(DENSE.encode(forward)), arena.place(DENSE.encode(backward))]
    const last = forward[forward.length - 1]
    const program = {
      inputs: inputs.address,
      gradients: gradients.address,
      inputStride: 4 * inputStride,
      values: values.address,
      cotangents: cotangents.address,
      valueStride: 4 * valueStride,
      forward: forwardAt,
      forwardEnd: forwardAt + forward.length * DENSE.size,
      backward: backwardAt,
      backwardEnd: backwardAt + backward.length * DENSE.size,
      features: features.at,
      featureGradient: featureGradient.at,
      output: last.to,
      slopes: last.slopes,
      seeds: seeds.at,
      hasSlopes: shape.output === 'linear' ? 0 : 1,
      wantsGradient: wantsGradient ? 1 : 0,
    }
    return arena.place(DENSE_PROGRAM.encode([program]))
  }
  const [evaluate, pullBack] = [write(false), write(true)]
  return { inputs, gradients, values, cotangents, capacity, evaluate, pullBack, scratchSize: scratch.size }
}

function packLayers(shape: DenseShape, tensors: Tensors, arena: Arena): PackedLayer[] {
  const widths = denseWidths(shape)
  return widths.slice(1).map((outputs, l) => {
    const inputs = widths[l]
    const weight = tensors.get(`dense.${l}.weight`)!
    return packLayer(weight, tensors.get(`dense.${l}.bias`)!, inputs, outputs, arena)
  })
}
