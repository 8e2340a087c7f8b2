/** Where patches of a surface are at a code: pieces that turn and stretch, and frames that follow them (piece-shape.ts). */
import type { Floats } from '../../math/floats.js'
import { pullBackExponential, writeExponential } from '../../model/acap/rotation-exponential.js'
import type { NetworkOptions } from '../create-network.js'
import { createDenseNetwork, type DenseNetwork } from '../dense/dense-network.js'
import type { DenseShape } from '../dense/dense-shape.js'
import type { Tensors } from '../network.js'
import type { CodeFrames } from './code-frames.js'
import { FRAME_SIZE, PIECE_SIZE, type PieceShape } from './piece-shape.js'

/** Codes whose frames are computed at once. */
const TOGETHER = 64

export class PieceFrames implements CodeFrames {
  readonly spaces: Float64Array
  readonly #pieces: DenseNetwork
  readonly #frames: DenseNetwork
  readonly #code: Float64Array
  readonly #byCode: Float64Array
  /** Of so many codes: (v, S), T and frames. */
  readonly #told: Float64Array
  readonly #turned: Float64Array
  readonly #numbers: Float64Array
  /** Which of these codes the spaces are at. */
  #row = 0
  readonly #byNumbers: Float64Array
  readonly #byTurned: Float64Array
  readonly #byTold: Float64Array

  private constructor(pieces: DenseNetwork, frames: DenseNetwork) {
    const [size, width] = [pieces.shape.outputs, frames.shape.outputs]
    this.#pieces = pieces
    this.#frames = frames
    this.#code = new Float64Array(pieces.shape.inputs)
    this.#byCode = new Float64Array(pieces.shape.inputs)
    this.#told = new Float64Array(TOGETHER * size)
    this.#turned = new Float64Array(TOGETHER * size)
    this.#numbers = new Float64Array(TOGETHER * width)
    this.#byNumbers = new Float64Array(width)
    this.#byTurned = new Float64Array(size)
    this.#byTold = new Float64Array(size)
    this.spaces = new Float64Array((16 * width) / FRAME_SIZE)
    for (let at = 15; at < this.spaces.length; at += 16) this.spaces[at] = 1
  }

  /**
   * @param tensors  everything that `pieceTensors(shape)` lists
   * @throws RangeError if one is missing or has another length; and whatever `createDenseNetwork` throws
   */
  static async create(shape: PieceShape, tensors: Tensors, options: NetworkOptions = {}): Promise<PieceFrames> {
    const { codeSize, pieces, frames } = shape
    const affine = (name: string, inputs: number, outputs: number): Promise<DenseNetwork> => {
      const dense: DenseShape = { inputs, outputs, hidden: [], activation: 'relu', output: 'linear' }
      const named = ['weight', 'bias'].flatMap((end): [string, Float32Array][] => {
        const values = tensors.get(`${name}.${end}`)
        return values ? [[`dense.0.${end}`, values]] : []
      })
      return createDenseNetwork(dense, new Map(named), options)
    }
    const size = PIECE_SIZE * pieces
    return new PieceFrames(await affine('pieces', codeSize, size), await affine('frames', size, FRAME_SIZE * frames))
  }

  moveTo(code: ArrayLike<number>): void {
    this.#code.set(code)
    this.#compute(this.#code, 1)
    this.#take(0)
  }

  moveThrough(codes: Floats, count: number, visit: (row: number) => void): void {
    const size = this.#code.length
    for (let first = 0; first < count; first += TOGETHER) {
      const rows = Math.min(TOGETHER, count - first)
      this.#compute(codes.subarray(first * size, (first + rows) * size), rows)
      for (let row = 0; row < rows; row++) {
        this.#code.set(codes.subarray((first + row) * size, (first + row + 1) * size))
        this.#take(row)
        visit(first + row)
      }
    }
  }

  pullBack(bySpaces: Float64Array, out: Floats): void {
    const [size, width] = [this.#byTold.length, this.#byNumbers.length]
    const [told, turned] = [this.#told, this.#turned].map((all) =>
      all.subarray(this.#row * size, (this.#row + 1) * size),
    )
    for (let i = 0; i < width; i++) this.#byNumbers[i] = bySpaces[placeOf(i)]
    this.#frames.pullBack(turned, 1, this.#byNumbers, this.#numbers.subarray(this.#row * width), this.#byTurned)
    for (let at = 0; at < size; at += PIECE_SIZE) pullBackTurned(told, this.#byTurned, at, this.#byTold)
    this.#pieces.pullBack(this.#code, 1, this.#byTold, told, this.#byCode)
    for (let k = 0; k < this.#byCode.length; k++) out[k] = this.#byCode[k]
  }

  dispose(): void {
    this.#pieces.dispose()
    this.#frames.dispose()
  }

  #compute(codes: Floats, rows: number): void {
    this.#pieces.evaluate(codes, rows, this.#told)
    const end = rows * this.#byTold.length
    for (let at = 0; at < end; at += PIECE_SIZE) writeTurned(this.#told, at, this.#turned)
    this.#frames.evaluate(this.#turned, rows, this.#numbers)
  }

  #take(row: number): void {
    const width = this.#byNumbers.length
    this.#row = row
    for (let i = 0; i < width; i++) this.spaces[placeOf(i)] = this.#numbers[row * width + i]
  }
}

/** From rows of four to columns of four. */
function placeOf(i: number): number {
  const [frame, within] = [Math.trunc(i / FRAME_SIZE), i % FRAME_SIZE]
  return 16 * frame + 4 * (within % 4) + Math.trunc(within / 4)
}

/** Where entry (i, j) of a stretch is among its six. */
const STRETCH = [0, 1, 2, 1, 3, 4, 2, 4, 5] as const

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
