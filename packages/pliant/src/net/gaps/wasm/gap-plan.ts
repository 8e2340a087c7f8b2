/** A gap network in WebAssembly memory: packed tensors, staging rows, programs, scratch layout. */
import type { Arena } from '../../../math/wasm/arena.js'
import { denseWidths } from '../../dense/dense-shape.js'
import type { Tensors } from '../../network.js'
import {
  backwardSteps,
  forwardSteps,
  type PackedLayer,
  packLayer,
  planLayerRows,
  ScratchPlan,
} from '../../wasm/dense-steps.js'
import { PANEL, packedRows, packMatrix, padVector, roundUp, transposed } from '../../wasm/pack.js'
import { DENSE, TILE } from '../../wasm/records.js'
import { denseOfGaps, type GapShape } from '../gap-shape.js'
import { GAP_PROGRAM } from './gap-kernels.js'
import { linearStep } from './linear-step.js'

/** Codes per trip through the staging buffers. */
const CAPACITY = 1024

export interface GapPlan {
  /** Rows of codes, values and gradients: addresses, and floats from row to row. */
  codes: number
  gradients: number
  codeStride: number
  values: number
  valueStride: number
  /** Rows that they hold. */
  capacity: number
  /** Programs. */
  evaluate: number
  gradient: number
  /** Words of scratch that each thread needs. */
  scratchSize: number
}

/** @param shape  with at least one gap */
export function planGaps(shape: GapShape, tensors: Tensors, arena: Arena): GapPlan {
  const { codeSize, gaps, hidden, activation } = shape
  const plane = roundUp(gaps, PANEL)
  const codeStride = roundUp(codeSize, PANEL)
  const featureStride = plane + codeStride
  const valueStride = PANEL
  const [codes, gradients] = [arena.reserve(CAPACITY * codeStride), arena.reserve(CAPACITY * codeStride)]
  const values = arena.reserve(CAPACITY * valueStride)
  const ones = arena.place(Float32Array.from({ length: TILE * valueStride }, (_, i) => (i % valueStride === 0 ? 1 : 0)))

  const scratch = new ScratchPlan()
  const [features, featureGradient] = [scratch.rows(featureStride), scratch.rows(featureStride)]
  const [vectors, codeGradient, seeds] = [scratch.rows(3 * plane), scratch.rows(codeStride), scratch.rows(valueStride)]
  const rows = planLayerRows(scratch, featureStride, [...hidden, 1])
  const zeros = arena.reserve(Math.max(featureStride, 3 * plane))

  const vector = planes(shape, tensors.get('gap.vector')!, plane)
  const ofCode = { at: features.at + 4 * plane, stride: features.stride }
  const there = arena.place(packMatrix(vector.linear, codeSize, 3 * plane))
  const constant = arena.place(vector.constant)
  const toVectors = linearStep(ofCode, vectors, there, packedRows(codeSize), 3 * plane, constant)
  const back = arena.place(packMatrix(transposed(vector.linear, codeSize, 3 * plane), 3 * plane, codeSize))
  const fromVectors = linearStep(vectors, codeGradient, back, packedRows(3 * plane), codeStride, zeros)
  const [toVectorsAt, fromVectorsAt] = [toVectors, fromVectors].map((step) => arena.place(DENSE.encode([step])))
  const softening = tensors.get('gap.softening')!.map((e) => e * e)
  const own = {
    // Gaps that are none answer log 1 times 0.
    softening: arena.place(padVector(softening).fill(1, gaps)),
    scale: arena.place(padVector(tensors.get('gap.scale')!)),
    shift: arena.place(padVector(tensors.get('gap.shift')!)),
  }
  const layers = packLayers(shape, tensors, plane, arena)
  const activations = [...hidden.map(() => activation), 'linear' as const]
  const write = (wantsGradient: boolean): number => {
    const forward = forwardSteps(layers, activations, features, rows, wantsGradient)
    const backward = wantsGradient ? backwardSteps(layers, activation, seeds, rows, featureGradient, zeros) : []
    const [forwardAt, backwardAt] = [arena.place(DENSE.encode(forward)), arena.place(DENSE.encode(backward))]
    const program = {
      ...own,
      codes,
      gradients,
      codeStride: 4 * codeStride,
      values,
      valueStride: 4 * valueStride,
      ones,
      toVectors: toVectorsAt,
      fromVectors: fromVectorsAt,
      plane: 4 * plane,
      forward: forwardAt,
      forwardEnd: forwardAt + forward.length * DENSE.size,
      backward: backwardAt,
      backwardEnd: backwardAt + backward.length * DENSE.size,
      vectors: vectors.at,
      features: features.at,
      featureGradient: featureGradient.at,
      featureStride: 4 * featureStride,
      output: forward[forward.length - 1].to,
      seeds: seeds.at,
      codeGradient: codeGradient.at,
      wantsGradient: wantsGradient ? 1 : 0,
    }
    return arena.place(GAP_PROGRAM.encode([program]))
  }
  const [evaluate, gradient] = [write(false), write(true)]
  const staged = { codes, gradients, codeStride, values, valueStride, capacity: CAPACITY }
  return { ...staged, evaluate, gradient, scratchSize: scratch.size }
}

/** `gap.vector` with its columns in planes of x, y and z: D as rows of the code, and c. */
function planes({ codeSize, gaps }: GapShape, vector: Float32Array, plane: number) {
  const all = new Float32Array((codeSize + 1) * 3 * plane)
  for (let row = 0; row <= codeSize; row++) {
    for (let i = 0; i < 3 * gaps; i++) {
      all[row * 3 * plane + (i % 3) * plane + Math.floor(i / 3)] = vector[row * 3 * gaps + i]
    }
  }
  return { linear: all.subarray(0, codeSize * 3 * plane), constant: all.slice(codeSize * 3 * plane) }
}

/** The dense layers; the first sees gaps, then the code. */
function packLayers(shape: GapShape, tensors: Tensors, plane: number, arena: Arena): PackedLayer[] {
  const { codeSize, gaps } = shape
  const widths = denseWidths(denseOfGaps(shape))
  return widths.slice(1).map((outputs, l) => {
    let weight = tensors.get(`dense.${l}.weight`)!
    const inputs = l === 0 ? plane + codeSize : widths[l]
    if (l === 0) {
      const reordered = new Float32Array(inputs * outputs)
      reordered.set(weight.subarray(codeSize * outputs, (codeSize + gaps) * outputs))
      reordered.set(weight.subarray(0, codeSize * outputs), plane * outputs)
      weight = reordered
    }
    return packLayer(weight, tensors.get(`dense.${l}.bias`)!, inputs, outputs, arena)
  })
}
