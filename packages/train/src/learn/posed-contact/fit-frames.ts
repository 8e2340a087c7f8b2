/**
 * Fits where patches of a surface are at codes of a learned space of shapes (pliant's piece-shape.ts). What a piece of the
 * surface does is what the space says of its vertices, in the mean: linear in the code, as the space's decoders are. Frames
 * are fitted to the rigid motions of the patches (label/frame-tasks.ts) by least squares, linear in the turned pieces, as
 * restoring the whole surface is linear in what every vertex does.
 */
import {
  ACAP_CHANNELS,
  exactShapeSpace,
  FRAME_SIZE,
  invertPositive,
  type OnProgress,
  PIECE_SIZE,
  type PieceShape,
  type ShapeSpaceData,
  writeTurned,
} from 'pliant/unstable'
import type { ContactPool } from '../../label/contact-pool.js'
import { streamOf } from '../../streams/random-streams.js'
import { surfacePatches } from '../../surface/surface-patches.js'
import type { Weights } from '../rounds/index.js'

export interface FrameFit {
  /** Pieces of the surface. 64: .04% of a hand's diagonal at the rims of patches, 32: .17%, 128: .02% for twice the time. */
  pieces: number
  /** Vertices of a piece, about, at least. */
  vertices: number
  /** Codes that are posed for each unknown of a number. */
  codes: number
}
export const FRAME_FIT: FrameFit = { pieces: 64, vertices: 8, codes: 6 }

/** What tells frames, fitted. */
export interface FittedFrames {
  shape: PieceShape
  tensors: Weights
  /** Root mean square of what it puts the rims of patches beside where they are [m], on codes that it was not fitted to. */
  error: number
}

/** Codes that the error is told by. */
const HELD_OUT = 256
/** Added to the diagonal of what is solved, of its mean: pieces that do the same share what follows them, and numbers stay so small that single precision will do at run time. */
const DAMPING = 1e-7

/** @param radii  of the patches [m]: what a rotation moves */
export async function fitFrames(
  pool: Pick<ContactPool, 'codeSize' | 'draw' | 'frames' | 'bounds'>,
  space: ShapeSpaceData,
  radii: Float64Array,
  { seed, onProgress, fit = FRAME_FIT }: { seed: number; onProgress?: OnProgress; fit?: FrameFit },
): Promise<FittedFrames> {
  const vertices = space.reference.positions.length / 3
  const pieces = surfacePatches(space.reference, Math.max(1, Math.min(fit.pieces, Math.floor(vertices / fit.vertices))))
  const shape: PieceShape = { codeSize: pool.codeSize, pieces: pieces.count, frames: radii.length }
  const told = pieceFeatures(space, pieces.ofVertex, pieces.count)
  const fitted = fit.codes * (PIECE_SIZE * pieces.count + 1)
  const count = fitted + HELD_OUT
  const codes = pool.draw(count, streamOf('fittedFrames', seed))
  const frames = await pool.frames(codes, (done) => {
    onProgress?.({ fraction: done / count, stage: 'frames', detail: `pose patches, ${done} of ${count}` })
  })
  const rows = turnedRows(shape, told, codes)
  const solved = leastSquares(rows, frames, shape, fitted)
  const tensors = new Map([...told, ...solved])
  return { shape, tensors, error: errorOf(shape, solved, rows, frames, fitted, radii) }
}

/** Turn and stretch of each piece: the mean over its vertices at the middle of the box, and by every number of the code. */
function pieceFeatures(space: ShapeSpaceData, ofVertex: Uint16Array, count: number): Map<string, Float32Array> {
  const exact = exactShapeSpace(space)
  const { codeSize, bounds, vertexCount } = exact
  const sizes = new Float64Array(count)
  for (const piece of ofVertex) sizes[piece]++
  const features = new Float64Array(ACAP_CHANNELS * vertexCount)
  const at = (code: Float64Array): Float64Array => {
    exact.features(code, features)
    const means = new Float64Array(PIECE_SIZE * count)
    for (let i = 0; i < features.length; i++) {
      const [vertex, channel] = [Math.trunc(i / ACAP_CHANNELS), i % ACAP_CHANNELS]
      means[PIECE_SIZE * ofVertex[vertex] + placeOf(channel)] += signOf(channel) * features[i]
    }
    return means.map((sum, i) => sum / sizes[Math.trunc(i / PIECE_SIZE)])
  }
  const middle = bounds.lower.map((low, k) => (low + bounds.upper[k]) / 2)
  const there = at(middle)
  const weight = new Float32Array(codeSize * there.length)
  const bias = there.slice()
  for (let k = 0; k < codeSize; k++) {
    const half = (bounds.upper[k] - bounds.lower[k]) / 2 || 1
    const [ahead, behind] = [at(middle.with(k, middle[k] + half)), at(middle.with(k, middle[k] - half))]
    for (let i = 0; i < there.length; i++) {
      const slope = (ahead[i] - behind[i]) / (2 * half)
      weight[k * there.length + i] = slope
      bias[i] -= slope * middle[k]
    }
  }
  return new Map([
    ['pieces.weight', weight],
    ['pieces.bias', Float32Array.from(bias)],
  ])
}

/** Channels of a rotation are -z, y, -x of its vector (pliant's acap/channels.ts), those of a stretch as they are. */
function placeOf(channel: number): number {
  return channel < 3 ? 2 - channel : channel
}
function signOf(channel: number): number {
  return channel === 0 || channel === 2 ? -1 : 1
}

/** T of all pieces and a 1, for each code. */
function turnedRows({ codeSize, pieces }: PieceShape, told: Weights, codes: Float32Array): Float64Array[] {
  const width = PIECE_SIZE * pieces
  const [weight, bias] = [told.get('pieces.weight')!, told.get('pieces.bias')!]
  const values = new Float64Array(width)
  return Array.from({ length: codes.length / codeSize }, (_, row) => {
    values.set(bias)
    for (let k = 0; k < codeSize; k++) {
      const number = codes[row * codeSize + k]
      for (let i = 0; i < width; i++) values[i] += number * weight[k * width + i]
    }
    const out = new Float64Array(width + 1).fill(1)
    for (let at = 0; at < width; at += PIECE_SIZE) writeTurned(values, at, out)
    return out
  })
}

/** frames.weight and frames.bias, from the first rows. */
function leastSquares(
  rows: readonly Float64Array[],
  frames: Float32Array,
  shape: PieceShape,
  count: number,
): Map<string, Float32Array> {
  const [size, width] = [PIECE_SIZE * shape.pieces + 1, FRAME_SIZE * shape.frames]
  const gram = new Float64Array(size * size)
  const sides = new Float64Array(size * width)
  for (let row = 0; row < count; row++) {
    const values = rows[row]
    for (let i = 0; i < size; i++) {
      const value = values[i]
      for (let j = 0; j <= i; j++) gram[i * size + j] += value * values[j]
      for (let k = 0; k < width; k++) sides[i * width + k] += value * frames[row * width + k]
    }
  }
  let trace = 0
  for (let i = 0; i < size; i++) trace += gram[i * size + i]
  for (let i = 0; i < size; i++) gram[i * size + i] += (DAMPING * trace) / size
  const inverse = new Float64Array(size * size)
  if (!invertPositive(gram, size, inverse)) throw new Error('fit frames: no code changes any piece; give other shapes.')
  const solved = new Float64Array(size * width)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const entry = inverse[i * size + j]
      for (let k = 0; k < width; k++) solved[i * width + k] += entry * sides[j * width + k]
    }
  }
  return new Map([
    ['frames.weight', Float32Array.from(solved.subarray(0, (size - 1) * width))],
    ['frames.bias', Float32Array.from(solved.subarray((size - 1) * width))],
  ])
}

function errorOf(
  { frames: count }: PieceShape,
  solved: Weights,
  rows: readonly Float64Array[],
  frames: Float32Array,
  first: number,
  radii: Float64Array,
): number {
  const width = FRAME_SIZE * count
  const [weight, bias] = [solved.get('frames.weight')!, solved.get('frames.bias')!]
  let squares = 0
  for (let row = first; row < rows.length; row++) {
    const found = Float64Array.from(bias)
    for (let i = 0; i < weight.length; i++) found[i % width] += weight[i] * rows[row][Math.trunc(i / width)]
    for (let k = 0; k < width; k++) {
      const arm = k % 4 === 3 ? 1 : radii[Math.trunc(k / FRAME_SIZE)]
      squares += (arm * (found[k] - frames[row * width + k])) ** 2
    }
  }
  return Math.sqrt(squares / ((rows.length - first) * count))
}
