/**
 * The tables through which JavaScript tells the kernels of bone networks what to run; conventions as in
 * net/wasm/records.ts. Rows are pairs of a point and a bone that answers it: row k * BONE_TILE + i is the k-th bone of
 * the tile's point i, so that a vector of four rows holds four points.
 */
import { record } from '../../wasm/records.js'

/** Points that go through all steps together: with three bones each, what they keep fits the first-level cache. */
export const BONE_TILE = 16

/** Bytes from one level of rows to the next, a word per row. */
export const LEVEL = 4 * BONE_TILE

/** One batch query: evaluate, or evaluate and gradient. */
export const BONE_PROGRAM = record([
  'points', // xyz triples
  'values',
  'gradients', // xyz triples
  'wantsGradient',
  'segments', // SEGMENT per bone, and one of nobody
  'segmentsEnd', // of the bones
  'nobody', // the number after the last bone's, at which no point is near: sets the windows if all bones answer
  'indexMask', // bits that hold a bone's number
  'levels', // bones that answer, and one more that sets their windows
  'answering', // bones that answer
  'boxes', // BOX per bone
  'bones', // BONE per bone
  'bonesEnd',
  'unitPanels', // panels of the code's hidden units
  'unitRows', // its units, as rows of a packed matrix
  'coefficientPanels',
  'coefficientRows',
  'warpPanels', // panels of a bone's whole warp grid
  'warps', // CUBE per bone
  'grids', // CUBE per bone
  'gridFeature', // where the static grid's channels start within a row of features [bytes]
  'biases', // a row of hidden units per bone, padded to fours
  'biasStride',
  'weight', // [hidden / 4][inputs][4]
  'transposed', // [inputs / 4][hidden][4]
  'inputs',
  'inputBlocks', // inputs / 4, rounded up
  'hiddenBlocks', // hidden / 4, rounded up
  'outputWeight', // [hidden][2]
  'outputBias', // [2]
  'fadeInverse', // float [1/m]
  'sharpness', // float
  'scale', // float [m]
  'scaleInverse', // float [1/m]
  'featureStride',
  'slopeStride', // bytes of a row's slopes
  'gridSlopes', // where those of the static grid start within them
  // All of the rest in scratch.
  'pointLanes', // per four points: x, y, z
  'indices', // per row and for the level beyond: the bone
  'windows', // per row
  'windowSlopes', // per level and four points: x, y, z
  'outside', // per row: distance from the box [scale]
  'features', // per row, of featureStride; then their gradient
  'boxSlopes', // per row: mask of axes within the box, gradient of the distance from it
  'cells', // per row: x, y, z within its cell of the static grid, and the cell's place in it
  'rowSlopes', // per row: slopes of the warp's lookup; per axis of the static grid its scale, 0 outside; its slopes
  'featureLanes', // of eight rows: per feature
  'hiddenSlopes', // per eight rows and unit
  'distances', // per row: s
  'logits', // per row: l, then its strength
  'distanceSeeds', // per row: df/ds
  'logitSeeds', // per row: df/dl
  'pointGradients', // per point, four lanes
  'units', // of one bone's code: hidden units
  'unitSlopes', // unread
  'linearPart', // its coefficients without the hidden units' part
  'coefficients',
])

/** The work per pose of one bone: addresses of its matrices, packed for the dense kernel. */
export const BONE = record([
  'isPosed', // whether its warp grid is that of the current pose
  'drivers',
  'linear',
  'offset',
  'hiddenWeight',
  'hiddenBias',
  'output',
  'basis',
  'base',
  'warp', // receives the posed grid
])

/** A posed bone for the choice: start, minus direction, minus one over its squared length, radius. */
export const SEGMENT = {
  at: { start: 0, minusDirection: 12, minusInverse: 24, radius: 28 },
  size: 32,
  shift: 5,
} as const

/** A posed bone's box: columns and rows of the map into it (rows without the offset), half its size; four lanes each. */
export const BOX = { at: { columns: 0, rows: 64, half: 112 }, size: 128, shift: 7 } as const
