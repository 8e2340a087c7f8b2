/**
 * The work per pose as a list of one-row products: out = bias + row * matrix. Code to coefficients, coefficients to
 * blended tensors and code to first bias are all of that form, so one kernel does it all.
 */

import type { Arena } from '../../math/wasm/arena.js'
import { denseWidths } from '../dense/dense-shape.js'
import type { Tensors } from '../network.js'
import { denseOf, featureSize, type NetworkShape } from '../network-shape.js'
import type { PackedLayer } from './dense-steps.js'
import { PANEL, packBasis, packedRows, packMatrix, padChannels, padVector, roundUp } from './pack.js'
import type { PointKernels } from './point-kernels.js'

interface Product {
  out: number
  row: number
  matrix: number
  /** Packed rows of the matrix. */
  inputs: number
  panels: number
  bias: number
  hasTanh: boolean
}

export interface PosePlan {
  /** Where the code goes, shape.code floats. */
  code: number
  products: Product[]
  layers: PackedLayer[]
  /** Address of the warp's nodes, 0 without. */
  warp: number
  /** Whether a pose changes the weights, so that transposed copies go stale. */
  changesWeights: boolean
}

export function planPose(shape: NetworkShape, tensors: Tensors, arena: Arena): PosePlan {
  const { conditioning } = shape
  const code = arena.reserve(packedRows(shape.code))
  const products: Product[] = []
  /** Adds a product of `inputs` values at `row`; returns where its result of `length` values will be. */
  const product = (row: number, inputs: number, matrix: Float32Array, bias: number, length: number): number => {
    const out = arena.reserve(roundUp(length, PANEL))
    const panels = Math.ceil(length / PANEL)
    products.push({ out, row, matrix: arena.place(matrix), inputs: packedRows(inputs), panels, bias, hasTanh: false })
    return out
  }
  /** Pack a tensor; if the pose blends it, with its basis. */
  const posed = (base: string, pack: (tensor: Float32Array) => Float32Array, row: number, count: number): number => {
    const packed = pack(tensors.get(base)!)
    const at = arena.place(packed)
    if (count === 0) return at
    const basis = tensors.get(base === 'warp.base' ? 'warp.basis' : `${base}.basis`)!
    return product(row, count, packBasis(basis, count, pack), at, packed.length)
  }

  let coefficients = 0
  if (conditioning.kind === 'blend' && conditioning.coefficients > 0) {
    const { coefficients: k, hidden } = conditioning
    const matrix = (name: string, rows: number, columns: number) => packMatrix(tensors.get(name)!, rows, columns)
    const offset = arena.place(padVector(tensors.get('code.offset')!))
    coefficients = product(code, shape.code, matrix('code.linear', shape.code, k), offset, k)
    if (hidden > 0) {
      const bias = arena.place(padVector(tensors.get('code.hidden.bias')!))
      const units = product(code, shape.code, matrix('code.hidden.weight', shape.code, hidden), bias, hidden)
      products[products.length - 1].hasTanh = true
      coefficients = product(units, hidden, matrix('code.output', hidden, k), coefficients, k)
    }
  }

  const warp = shape.warp
    ? posed(
        'warp.base',
        (nodes) => padChannels(nodes, shape.warp!.channels),
        coefficients,
        conditioning.kind === 'blend' ? conditioning.coefficients : 0,
      )
    : 0
  const blended = conditioning.kind === 'blend' ? conditioning.layers : 0
  const widths = denseWidths(denseOf(shape))
  const layers = widths.slice(1).map((outputs, l): PackedLayer => {
    const inputs = widths[l]
    const isLast = l === shape.hidden.length
    // The last layer is a dot product with whole rows, whose padding goes past the inputs.
    const pack = isLast
      ? (weight: Float32Array) => padVector(weight.subarray(0, inputs), l === 0 ? featureStride(shape) : inputs)
      : (weight: Float32Array) => packMatrix(weight, inputs, outputs)
    const weight = posed(`dense.${l}.weight`, pack, coefficients, blended)
    let bias = posed(`dense.${l}.bias`, padVector, coefficients, blended)
    if (l === 0 && conditioning.kind === 'input' && shape.code > 0) {
      const rows = tensors.get('dense.0.weight')!.subarray(inputs * outputs)
      bias = product(code, shape.code, packMatrix(rows, shape.code, outputs), bias, outputs)
    }
    // The last layer's one column is its own transposed copy, a row.
    const transposedRows = isLast ? 1 : packedRows(outputs)
    const transposed = isLast ? weight : arena.reserve(roundUp(inputs, PANEL) * transposedRows)
    return { inputs, outputs, weight, bias, transposed, transposedRows }
  })
  return { code, products, layers, warp, changesWeights: blended > 0 }
}

/** Floats from one row of features to the next: room for a vector that starts at the last feature. */
export function featureStride(shape: NetworkShape): number {
  return roundUp(featureSize(shape) + 3, PANEL)
}

/** Runs the plan for the code in memory. `spare` has room for as many floats as the code has hidden units. */
export function runPose(plan: PosePlan, kernels: PointKernels, spare: number): void {
  for (const { out, row, matrix, inputs, panels, bias, hasTanh } of plan.products) {
    kernels.dense(out, 0, row, 0, matrix, inputs, panels, bias, -Infinity, 1)
    if (hasTanh) kernels.tanh(out, spare, out + 4 * PANEL * panels)
  }
}

/** Brings the transposed copies up to date, which only gradients need. */
export function transposeLayers(plan: PosePlan, kernels: PointKernels): void {
  for (const { inputs, outputs, weight, transposed } of plan.layers) {
    if (transposed !== weight) kernels.transpose(weight, transposed, packedRows(inputs), packedRows(outputs))
  }
}
