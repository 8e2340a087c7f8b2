/** Frames that follow pieces (piece-shape.ts) in plain code: the fallback, and the reference that the kernels are checked against. */
import type { Floats } from '../../math/floats.js'
import { pullBackExponential, writeExponential } from '../../model/acap/rotation-exponential.js'
import type { Tensors } from '../network.js'
import { ScalarLayers } from '../scalar/scalar-layers.js'
import type { PieceRows } from './piece-frames.js'
import { FRAME_SIZE, PIECE_SIZE, type PieceShape, STRETCH } from './piece-shape.js'

export class ScalarPieces implements PieceRows {
  readonly #pieces: ScalarLayers
  readonly #frames: ScalarLayers
  /** (v, S) of the rows that were asked last, kept for the way back. */
  #told = new Float64Array(0)

  /** @param tensors  checked to be complete; kept, not copied */
  constructor({ codeSize, pieces, frames }: PieceShape, tensors: Tensors) {
    const size = PIECE_SIZE * pieces
    this.#pieces = affine('pieces', codeSize, size, tensors)
    this.#frames = affine('frames', size, FRAME_SIZE * frames, tensors)
  }

  write(codes: ArrayLike<number>, from: number, rows: number, out: Float64Array): void {
    const [pieces, frames] = [this.#pieces, this.#frames]
    const size = pieces.outputs.length
    if (this.#told.length < rows * size) this.#told = new Float64Array(rows * size)
    for (let row = 0; row < rows; row++) {
      for (let k = 0; k < pieces.inputs.length; k++) pieces.inputs[k] = codes[from++]
      pieces.forward()
      this.#told.set(pieces.outputs, row * size)
      for (let at = 0; at < size; at += PIECE_SIZE) writeTurned(pieces.outputs, at, frames.inputs)
      frames.forward()
      out.set(frames.outputs, row * frames.outputs.length)
    }
  }

  pullBack(byFrames: Float64Array, rows: number, out: Floats, to: number): void {
    const [pieces, frames] = [this.#pieces, this.#frames]
    const [size, width] = [pieces.outputs.length, frames.outputs.length]
    for (let row = 0; row < rows; row++) {
      const told = this.#told.subarray(row * size, (row + 1) * size)
      frames.outputGradient.set(byFrames.subarray(row * width, (row + 1) * width))
      frames.backward()
      for (let at = 0; at < size; at += PIECE_SIZE) {
        pullBackTurned(told, frames.inputGradient, at, pieces.outputGradient)
      }
      pieces.backward()
      for (let k = 0; k < pieces.inputs.length; k++) out[to++] = pieces.inputGradient[k]
    }
  }
}

function affine(name: string, inputs: number, outputs: number, tensors: Tensors): ScalarLayers {
  const named = ['weight', 'bias'].map((end) => [`dense.0.${end}`, tensors.get(`${name}.${end}`)!] as const)
  return new ScalarLayers({ inputs, outputs, hidden: [], activation: 'relu', output: 'linear' }, new Map(named))
}

const _turn = new Float64Array(PIECE_SIZE)
const _byTurn = new Float64Array(PIECE_SIZE)
const _byVector = new Float64Array(3)

/** T = exp(v) S of one piece. @param told  v and S from `at` on; @param out  receives T there, row by row */
export function writeTurned(told: Float64Array, at: number, out: Float64Array): void {
  writeExponential(told[at], told[at + 1], told[at + 2], _turn, 0)
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      const [a, b, c] = [STRETCH[j], STRETCH[3 + j], STRETCH[6 + j]]
      out[at + i + j] = _turn[i] * told[at + 3 + a] + _turn[i + 1] * told[at + 3 + b] + _turn[i + 2] * told[at + 3 + c]
    }
  }
}

/** The way back, from a gradient by T to that by v and S. */
function pullBackTurned(told: Float64Array, byTurned: Float64Array, at: number, out: Float64Array): void {
  const [x, y, z] = [told[at], told[at + 1], told[at + 2]]
  writeExponential(x, y, z, _turn, 0)
  out.fill(0, at + 3, at + PIECE_SIZE)
  _byTurn.fill(0)
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const by = byTurned[at + 3 * i + j]
      for (let k = 0; k < 3; k++) {
        const stretch = 3 + STRETCH[3 * k + j]
        _byTurn[3 * i + k] += by * told[at + stretch]
        out[at + stretch] += by * _turn[3 * i + k]
      }
    }
  }
  pullBackExponential(x, y, z, _turn, _byTurn, _byVector)
  for (let k = 0; k < 3; k++) out[at + k] = _byVector[k]
}
