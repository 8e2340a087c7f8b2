/** A network in bone frames in WebAssembly memory: packed tensors, room for the pose, programs, scratch layout. */
import type { Tensors } from '../../network.js'
import type { Arena } from '../../wasm/arena.js'
import { PANEL, packBasis, packedRows, packMatrix, padChannels, padVector, roundUp } from '../../wasm/pack.js'
import { writeGrids } from '../../wasm/program.js'
import { type BoneNetworkShape, boneHeadInputs, MAX_DRIVERS } from '../bone-shape.js'
import { BONE_PROGRAM, BONE_TILE, BOX, SEGMENT } from './bone-records.js'
import { BLOCK } from './head.js'
import type { Field } from './lanes.js'
import { slopeBytes } from './lookup.js'

const INPUTS = 3 * MAX_DRIVERS

/** The work per pose of one bone: addresses of its matrices, packed for the dense kernel. */
export interface BonePosePlan {
  drivers: number
  linear: number
  offset: number
  hiddenWeight: number
  hiddenBias: number
  output: number
  basis: number
  base: number
  /** Receives the posed grid. */
  warp: number
}

export interface BonePlan {
  bones: BonePosePlan[]
  /** Scratch of the pose: hidden units, their slopes (unread), coefficients before and after the hidden units' part. */
  units: number
  unitSlopes: number
  linearPart: number
  coefficients: number
  warpPanels: number
  segments: number
  /** Segments in memory: one more than there are bones if all of them answer. */
  segmentCount: number
  boxes: number
  evaluate: number
  gradient: number
  /** Words of scratch that each thread needs. */
  scratchSize: number
}

export interface BoneStaging {
  points: number
  values: number
  gradients: number
}

export function planBones(shape: BoneNetworkShape, tensors: Tensors, staging: BoneStaging, arena: Arena): BonePlan {
  const { coefficients, codeHidden, warp, grid } = shape
  const count = shape.bones.length
  const ofBone = (name: string, b: number): Float32Array => {
    const tensor = tensors.get(name)!
    const length = tensor.length / count
    return tensor.subarray(b * length, (b + 1) * length)
  }
  const padWarp = (nodes: Float32Array) => padChannels(nodes, 3 + warp.features)
  const warpLength = padWarp(ofBone('warp.base', 0)).length
  const bones = shape.bones.map((_, b): BonePosePlan => {
    const matrix = (name: string, rows: number, columns: number) =>
      arena.place(packMatrix(ofBone(name, b), rows, columns))
    return {
      drivers: arena.reserve(INPUTS),
      linear: matrix('code.linear', INPUTS, coefficients),
      offset: arena.place(padVector(ofBone('code.offset', b))),
      hiddenWeight: matrix('code.hidden.weight', INPUTS, codeHidden),
      hiddenBias: arena.place(padVector(ofBone('code.hidden.bias', b))),
      output: matrix('code.output', codeHidden, coefficients),
      basis: arena.place(packBasis(ofBone('warp.basis', b), coefficients, padWarp)),
      base: arena.place(padWarp(ofBone('warp.base', b))),
      warp: arena.reserve(warpLength),
    }
  })
  const answering = Math.min(shape.nearest, count)
  const segmentCount = Math.max(count, answering + 1)
  const segments = arena.reserve((segmentCount * SEGMENT.size) / 4)
  const boxes = arena.reserve((count * BOX.size) / 4)
  const cube = (resolution: number, channels: number) => ({
    resolution: [resolution, resolution, resolution] as [number, number, number],
    channels,
    lower: [-1, -1, -1] as [number, number, number],
    upper: [1, 1, 1] as [number, number, number],
  })
  const warpShape = cube(warp.resolution, 3 + warp.features)
  const gridShape = cube(grid.resolution, 2 + grid.features)
  const grids = shape.bones.map((_, b) => ({
    shape: gridShape,
    data: arena.place(padChannels(ofBone('grid', b), gridShape.channels)),
  }))
  const scratch = planScratch(shape)
  const fields = {
    points: staging.points,
    values: staging.values,
    gradients: staging.gradients,
    segments,
    segmentsEnd: segments + segmentCount * SEGMENT.size,
    indexMask: 2 ** Math.ceil(Math.log2(segmentCount)) - 1,
    levels: answering + 1,
    answering,
    boxes,
    warps: arena.place(writeGrids(bones.map(({ warp: data }) => ({ shape: warpShape, data })))),
    grids: arena.place(writeGrids(grids)),
    ...planHead(shape, tensors, arena),
    ...scratch.fields,
  }
  const floats = {
    fadeInverse: 1 / shape.fade,
    sharpness: shape.sharpness,
    scale: shape.scale,
    scaleInverse: 1 / shape.scale,
  }
  const program = (wantsGradient: number) => arena.place(encodeProgram({ ...fields, wantsGradient }, floats))
  return {
    bones,
    units: arena.reserve(roundUp(codeHidden, PANEL)),
    unitSlopes: arena.reserve(roundUp(codeHidden, PANEL)),
    linearPart: arena.reserve(roundUp(coefficients, PANEL)),
    coefficients: arena.reserve(Math.max(roundUp(coefficients, PANEL), packedRows(coefficients))),
    warpPanels: warpLength / PANEL,
    segments,
    segmentCount,
    boxes,
    evaluate: program(0),
    gradient: program(1),
    scratchSize: scratch.size,
  }
}

/** Weights in the order in which the head reads them: four outputs of one input after the other. */
function planHead(shape: BoneNetworkShape, tensors: Tensors, arena: Arena) {
  const { hidden } = shape
  const inputs = boneHeadInputs(shape)
  const [paddedInputs, paddedHidden] = [roundUp(inputs, 4), roundUp(hidden, 4)]
  const source = tensors.get('head.0.weight')!
  const weight = new Float32Array(inputs * paddedHidden)
  const transposed = new Float32Array(paddedInputs * paddedHidden)
  for (let i = 0; i < inputs; i++) {
    for (let j = 0; j < hidden; j++) {
      const value = source[i * hidden + j]
      weight[(Math.floor(j / 4) * inputs + i) * 4 + (j % 4)] = value
      transposed[(Math.floor(i / 4) * paddedHidden + j) * 4 + (i % 4)] = value
    }
  }
  const biases = new Float32Array(shape.bones.length * paddedHidden)
  for (let b = 0; b < shape.bones.length; b++) {
    biases.set(tensors.get('head.0.bias')!.subarray(b * hidden, (b + 1) * hidden), b * paddedHidden)
  }
  const output = new Float32Array(2 * paddedHidden)
  output.set(tensors.get('head.1.weight')!)
  return {
    gridFeature: 4 * (3 + shape.warp.features),
    biases: arena.place(biases),
    biasStride: 4 * paddedHidden,
    weight: arena.place(weight),
    transposed: arena.place(transposed),
    inputs,
    inputBlocks: paddedInputs / 4,
    hiddenBlocks: paddedHidden / 4,
    outputWeight: arena.place(output),
    outputBias: arena.place(tensors.get('head.1.bias')!.slice()),
  }
}

function planScratch(shape: BoneNetworkShape) {
  const rows = BONE_TILE * Math.min(shape.nearest, shape.bones.length)
  const inputs = boneHeadInputs(shape)
  const hidden = roundUp(shape.hidden, 4)
  // Lookups write whole fours: room for one that starts at the last feature.
  const featureStride = roundUp(inputs + 3, 4)
  const warpSlopes = slopeBytes(3 + shape.warp.features)
  const gridSlopes = slopeBytes(2 + shape.grid.features)
  let size = 0
  const reserve = (words: number): number => {
    const offset = 4 * size
    size += roundUp(words, PANEL)
    return offset
  }
  const fields = {
    featureStride: 4 * featureStride,
    warpSlopes,
    gridSlopes,
    pointLanes: reserve(3 * BONE_TILE),
    indices: reserve(rows + BONE_TILE),
    windows: reserve(rows),
    windowSlopes: reserve(3 * rows),
    outside: reserve(rows),
    features: reserve(rows * featureStride),
    boxSlopes: reserve(8 * rows),
    rowSlopes: reserve((rows * (warpSlopes + gridSlopes)) / 4),
    featureLanes: reserve(BLOCK * roundUp(inputs, 4)),
    hidden: reserve(BLOCK * hidden),
    hiddenSlopes: reserve(rows * hidden),
    distances: reserve(rows),
    logits: reserve(rows),
    distanceSeeds: reserve(rows),
    logitSeeds: reserve(rows),
    pointGradients: reserve(4 * BONE_TILE),
  }
  return { fields, size }
}

type FloatField = 'fadeInverse' | 'sharpness' | 'scale' | 'scaleInverse'

function encodeProgram(
  words: Record<Exclude<Field, FloatField>, number>,
  floats: Record<FloatField, number>,
): Int32Array {
  const out = new Int32Array(BONE_PROGRAM.size / 4)
  for (const [name, value] of Object.entries(words)) out[BONE_PROGRAM.at[name as Field] / 4] = value
  const asFloats = new Float32Array(out.buffer)
  for (const [name, value] of Object.entries(floats)) asFloats[BONE_PROGRAM.at[name as Field] / 4] = value
  return out
}
