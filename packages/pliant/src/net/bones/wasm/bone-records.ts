/**
 * The records through which JavaScript tells the kernels of bone networks what to run; conventions as in
 * net/wasm/records.ts. Rows are pairs of a point and a bone that answers it: row k * BONE_TILE + i is the k-th bone of
 * the tile's point i, so that a vector of four rows holds four points.
 */
import { record } from '../../../math/wasm/records.js'

/** Points that go through all steps together: with three bones each, what they keep fits the first-level cache. */
export const BONE_TILE = 16

/** Bytes from one level of rows to the next, a word per row. */
export const LEVEL = 4 * BONE_TILE

/** One batch query: evaluate, or evaluate and gradient. */
export const BONE_PROGRAM = record({
  /** xyz triples. */
  points: 'u32',
  values: 'u32',
  /** xyz triples. */
  gradients: 'u32',
  wantsGradient: 'u32',
  /** SEGMENT per bone, and one of nobody. */
  segments: 'u32',
  /** Of the bones. */
  segmentsEnd: 'u32',
  /** The number after the last bone's, at which no point is near: sets the windows if all bones answer. */
  nobody: 'u32',
  /** Bits that hold a bone's number. */
  indexMask: 'u32',
  /** Bones that answer, and one more that sets their windows. */
  levels: 'u32',
  /** Bones that answer. */
  answering: 'u32',
  /** BOX per bone. */
  boxes: 'u32',
  /** BONE per bone. */
  bones: 'u32',
  bonesEnd: 'u32',
  /** Panels of the code's hidden units. */
  unitPanels: 'u32',
  /** Its units, as rows of a packed matrix. */
  unitRows: 'u32',
  coefficientPanels: 'u32',
  coefficientRows: 'u32',
  /** Panels of a bone's whole warp grid. */
  warpPanels: 'u32',
  /** CUBE per bone. */
  warps: 'u32',
  /** CUBE per bone. */
  grids: 'u32',
  /** Where the static grid's channels start within a row of features [bytes]. */
  gridFeature: 'u32',
  /** A row of hidden units per bone, padded to fours. */
  biases: 'u32',
  biasStride: 'u32',
  /** [hidden / 4][inputs][4] */
  weight: 'u32',
  /** [inputs / 4][hidden][4] */
  transposed: 'u32',
  inputs: 'u32',
  /** Inputs / 4, rounded up. */
  inputBlocks: 'u32',
  /** Hidden / 4, rounded up. */
  hiddenBlocks: 'u32',
  /** [hidden][2] */
  outputWeight: 'u32',
  /** [2] */
  outputBias: 'u32',
  /** [1/m] */
  fadeInverse: 'f32',
  sharpness: 'f32',
  /** [m] */
  scale: 'f32',
  /** [1/m] */
  scaleInverse: 'f32',
  featureStride: 'u32',
  /** Bytes of a row's slopes. */
  slopeStride: 'u32',
  /** Where those of the static grid start within them. */
  gridSlopes: 'u32',
  // All of the rest in scratch.
  /** Per four points: x, y, z. */
  pointLanes: 'u32',
  /** Per row and for the level beyond: the bone. */
  indices: 'u32',
  /** Per row. */
  windows: 'u32',
  /** Per level and four points: x, y, z. */
  windowSlopes: 'u32',
  /** Per row: distance from the box [scale] */
  outside: 'u32',
  /** Per row, of featureStride; then their gradient. */
  features: 'u32',
  /** Per row: mask of axes within the box, gradient of the distance from it. */
  boxSlopes: 'u32',
  /** Per row: x, y, z within its cell of the static grid, and the cell's place in it. */
  cells: 'u32',
  /** Per row: slopes of the warp's lookup; per axis of the static grid its scale, 0 outside; its slopes. */
  rowSlopes: 'u32',
  /** Of eight rows: per feature. */
  featureLanes: 'u32',
  /** Per eight rows and unit. */
  hiddenSlopes: 'u32',
  /** Of eight rows: per unit. */
  exponentials: 'u32',
  /** Per row: s. */
  distances: 'u32',
  /** Per row: l, then its strength. */
  logits: 'u32',
  /** Per row: df/ds. */
  distanceSeeds: 'u32',
  /** Per row: df/dl. */
  logitSeeds: 'u32',
  /** Per point, four lanes. */
  pointGradients: 'u32',
  /** Of one bone's code: hidden units. */
  units: 'u32',
  /** Unread. */
  unitSlopes: 'u32',
  /** Its coefficients without the hidden units' part. */
  linearPart: 'u32',
})

/** The work per pose of one bone: addresses of its matrices, packed for the dense kernel. */
export const BONE = record({
  /** How much of it is that of the current pose: 0 nothing, then its coefficients and cells, WHOLE its grid (warps.ts). */
  posed: 'u32',
  drivers: 'u32',
  linear: 'u32',
  offset: 'u32',
  hiddenWeight: 'u32',
  hiddenBias: 'u32',
  output: 'u32',
  basis: 'u32',
  base: 'u32',
  /** Receives the posed grid. */
  warp: 'u32',
  /** Receives the coefficients. */
  coefficients: 'u32',
})

/** A posed bone for the choice. Two vectors of four lanes hold all of it. */
export const SEGMENT = record({
  start: ['f32', 3],
  minusDirection: ['f32', 3],
  /** Minus one over the direction's squared length. */
  minusInverse: 'f32',
  radius: 'f32',
})

/** A posed bone's box: columns and rows of the map into it (rows without the offset), half its size. */
export const BOX = record({ columns: ['f32x4', 4], rows: ['f32x4', 3], half: 'f32x4' })
