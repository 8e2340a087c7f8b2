/** A network in bone frames in WebAssembly memory: packed tensors, room for the pose, programs, scratch layout. */

import type { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { PANEL, packBasis, packedRows, packMatrix, padVector, roundUp } from '../../wasm/pack.js'
import type { Staging } from '../../wasm/point-batches.js'
import { type BoneNetworkShape, boneHeadInputs, gridStarts, jointsOf, MAX_DRIVERS } from '../bone-shape.js'
import { BONE, BONE_PROGRAM, BONE_TILE, BOX, SEGMENT } from './bone-records.js'
import { CUBE, describeCube, packCube, slopeBytes } from './cube.js'
import { BLOCK } from './head.js'
import { BONE_PAIR } from './place-bones.js'

const INPUTS = 3 * MAX_DRIVERS

export interface BonePlan {
  boneCount: number
  /** BONE per bone. */
  bones: number
  /** [bones, 3 * MAX_DRIVERS] */
  drivers: number
  /** SEGMENT per bone, and one of nobody. */
  segments: number
  boxes: number
  /** Doubles, column-major 4x4 for each joint that a bone has: what was given, before it is known to be finite. */
  matrices: number
  matricesEnd: number
  /** Drivers, likewise. */
  given: number
  givenEnd: number
  /** BONE_PAIR per two bones. */
  pairs: number
  pairsEnd: number
  evaluate: number
  gradient: number
  /** Words of scratch that each thread needs. */
  scratchSize: number
}

export function planBones(shape: BoneNetworkShape, tensors: Tensors, staging: Staging, arena: Arena): BonePlan {
  const { coefficients, codeHidden, warp, grid } = shape
  const count = shape.bones.length
  const ofBone = (name: string, b: number): Float32Array => {
    const tensor = tensors.get(name)!
    const length = tensor.length / count
    return tensor.subarray(b * length, (b + 1) * length)
  }
  const [warpChannels, gridChannels] = [3 + warp.features, 2 + grid.features]
  const packWarp = (nodes: Float32Array) => packCube(nodes, warpChannels)
  const warpLength = packWarp(ofBone('warp.base', 0)).length
  const warps = arena.reserve(count * warpLength)
  const drivers = arena.reserve(count * INPUTS)
  const bones = shape.bones.map((_, b) => {
    const matrix = (name: string, rows: number, columns: number) =>
      arena.place(packMatrix(ofBone(name, b), rows, columns))
    return {
      posed: 0,
      drivers: drivers + 4 * INPUTS * b,
      linear: matrix('code.linear', INPUTS, coefficients),
      offset: arena.place(padVector(ofBone('code.offset', b))),
      hiddenWeight: matrix('code.hidden.weight', INPUTS, codeHidden),
      hiddenBias: arena.place(padVector(ofBone('code.hidden.bias', b))),
      output: matrix('code.output', codeHidden, coefficients),
      basis: arena.place(packBasis(ofBone('warp.basis', b), coefficients, packWarp)),
      base: arena.place(packWarp(ofBone('warp.base', b))),
      warp: warps + 4 * warpLength * b,
      coefficients: arena.reserve(roundUp(coefficients, PANEL)),
    }
  })
  const bonesAt = arena.place(BONE.encode(bones))
  const answering = Math.min(shape.nearest, count)
  const segments = arena.reserve(((count + 1) * SEGMENT.size) / 4)
  const boxes = arena.reserve((count * BOX.size) / 4)
  const joints = jointsOf(shape)
  const matrices = arena.reserve(2 * 16 * joints)
  const given = arena.reserve(count * INPUTS)
  const pairBytes = Math.ceil(count / 2) * BONE_PAIR.size
  const pairs = arena.reserve(pairBytes / 4)
  const r = warp.resolution
  const warpCubes = shape.bones.map((_, b) => describeCube([r, r, r], warpChannels, warps + 4 * warpLength * b))
  const starts = gridStarts(shape.bones).map((node) => node * gridChannels)
  const gridCubes = shape.bones.map(({ nodes }, b) => {
    const own = tensors.get('grid')!.subarray(starts[b], starts[b + 1])
    return describeCube(nodes, gridChannels, arena.place(packCube(own, gridChannels)))
  })
  const scratch = planScratch(shape)
  const fields = {
    points: staging.points,
    values: staging.values,
    gradients: staging.gradients,
    segments,
    segmentsEnd: segments + count * SEGMENT.size,
    nobody: count,
    indexMask: 2 ** Math.ceil(Math.log2(count + 1)) - 1,
    levels: answering + 1,
    answering,
    boxes,
    bones: bonesAt,
    bonesEnd: bonesAt + count * BONE.size,
    unitPanels: Math.ceil(codeHidden / PANEL),
    unitRows: packedRows(codeHidden),
    coefficientPanels: Math.ceil(coefficients / PANEL),
    coefficientRows: packedRows(coefficients),
    warpPanels: warpLength / PANEL,
    warps: arena.place(CUBE.encode(warpCubes)),
    grids: arena.place(CUBE.encode(gridCubes)),
    ...planHead(shape, tensors, arena),
    ...scratch.fields,
    fadeInverse: 1 / shape.fade,
    sharpness: shape.sharpness,
    scale: shape.scale,
    scaleInverse: 1 / shape.scale,
  }
  const program = (wantsGradient: number) => arena.place(BONE_PROGRAM.encode([{ ...fields, wantsGradient }]))
  return {
    boneCount: count,
    bones: bonesAt,
    drivers,
    segments,
    boxes,
    matrices,
    matricesEnd: matrices + 128 * joints,
    given,
    givenEnd: given + 4 * roundUp(count * INPUTS, PANEL),
    pairs,
    pairsEnd: pairs + pairBytes,
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
  const slopeStride = warpSlopes + 16 + slopeBytes(2 + shape.grid.features)
  let size = 0
  const reserve = (words: number): number => {
    const offset = 4 * size
    size += roundUp(words, PANEL)
    return offset
  }
  const fields = {
    featureStride: 4 * featureStride,
    slopeStride,
    gridSlopes: warpSlopes,
    pointLanes: reserve(3 * BONE_TILE),
    indices: reserve(rows + BONE_TILE),
    windows: reserve(rows),
    windowSlopes: reserve(3 * rows),
    outside: reserve(rows),
    features: reserve(rows * featureStride),
    boxSlopes: reserve(8 * rows),
    cells: reserve(4 * rows),
    rowSlopes: reserve((rows * slopeStride) / 4),
    featureLanes: reserve(BLOCK * roundUp(inputs, 4)),
    hiddenSlopes: reserve(rows * hidden),
    exponentials: reserve(BLOCK * hidden),
    distances: reserve(rows),
    logits: reserve(rows),
    distanceSeeds: reserve(rows),
    logitSeeds: reserve(rows),
    pointGradients: reserve(4 * BONE_TILE),
    units: reserve(roundUp(shape.codeHidden, PANEL)),
    unitSlopes: reserve(roundUp(shape.codeHidden, PANEL)),
    linearPart: reserve(roundUp(shape.coefficients, PANEL)),
  }
  return { fields, size }
}
