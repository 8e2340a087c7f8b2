/**
 * Where patches of a surface are at a code: pieces that turn and stretch, and frames that follow them (piece-shape.ts), by the
 * fastest backend that the host has.
 */
import type { Floats } from '../../math/floats.js'
import { chooseBackend } from '../choose-backend.js'
import type { NetworkOptions } from '../create-network.js'
import type { Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import { TILE } from '../wasm/records.js'
import type { CodeFrames, VisitFrames } from './code-frames.js'
import { FRAME_SIZE, type PieceShape, pieceTensors } from './piece-shape.js'
import { ScalarPieces } from './scalar-pieces.js'
import { createSimdPieces } from './wasm/simd-pieces.js'

/** What computes frames, twelve numbers each, of a tile of codes at most. */
export interface PieceRows {
  /** @param codes  one after the other, from `from` on */
  write(codes: ArrayLike<number>, from: number, rows: number, out: Float64Array): void
  /** The way back of the rows that were written last. @param out  receives gradients by codes from `to` on */
  pullBack(byFrames: Float64Array, rows: number, out: Floats, to: number): void
}

export class PieceFrames implements CodeFrames {
  readonly spaces: Float64Array
  readonly #by: PieceRows
  readonly #codeSize: number
  /** Numbers of all frames. */
  readonly #width: number
  /** Of a tile of codes: frames, and gradients by them. */
  readonly #numbers: Float64Array
  readonly #byNumbers: Float64Array
  readonly #bySpaces: Float64Array

  private constructor({ codeSize, frames }: PieceShape, by: PieceRows) {
    this.#by = by
    this.#codeSize = codeSize
    this.#width = FRAME_SIZE * frames
    this.#numbers = new Float64Array(TILE * this.#width)
    this.#byNumbers = new Float64Array(TILE * this.#width)
    this.#bySpaces = new Float64Array(16 * frames)
    this.spaces = new Float64Array(16 * frames)
    for (let at = 15; at < this.spaces.length; at += 16) this.spaces[at] = 1
  }

  /**
   * @param tensors  everything that `pieceTensors(shape)` lists
   * @throws RangeError if a size is none, or a tensor is missing or has another length; what `chooseBackend` throws
   */
  static async create(shape: PieceShape, tensors: Tensors, options: NetworkOptions = {}): Promise<PieceFrames> {
    requireSizes('frames of pieces', [
      ['codeSize', shape.codeSize, 1],
      ['pieces', shape.pieces, 1],
      ['frames', shape.frames, 1],
    ])
    requireTensors('frames of pieces', pieceTensors(shape), tensors)
    const { backend } = chooseBackend(options.backend)
    if (backend === 'scalar') return new PieceFrames(shape, new ScalarPieces(shape, tensors))
    const simd = { relaxed: backend === 'simd-relaxed', threads: 1 }
    return new PieceFrames(shape, await createSimdPieces(shape, tensors, simd))
  }

  moveTo(code: ArrayLike<number>): void {
    this.#by.write(code, 0, 1, this.#numbers)
    this.#take(0)
  }

  moveThrough(codes: Floats, count: number, visit: VisitFrames, gradients?: Floats): void {
    const [size, by] = [this.#codeSize, gradients && this.#bySpaces]
    for (let first = 0; first < count; first += TILE) {
      const rows = Math.min(TILE, count - first)
      this.#by.write(codes, first * size, rows, this.#numbers)
      for (let row = 0; row < rows; row++) {
        this.#take(row)
        by?.fill(0)
        visit(first + row, by)
        if (by) this.#give(by, row)
      }
      if (gradients) this.#by.pullBack(this.#byNumbers, rows, gradients, first * size)
    }
  }

  pullBack(bySpaces: Float64Array, out: Floats): void {
    this.#give(bySpaces, 0)
    this.#by.pullBack(this.#byNumbers, 1, out, 0)
  }

  /** From three rows of four to four columns of four. */
  #take(row: number): void {
    const [numbers, spaces] = [this.#numbers, this.spaces]
    for (let at = 0, i = row * this.#width; at < spaces.length; at += 16) {
      for (let axis = 0; axis < 3; axis++, i += 4) {
        spaces[at + axis] = numbers[i]
        spaces[at + 4 + axis] = numbers[i + 1]
        spaces[at + 8 + axis] = numbers[i + 2]
        spaces[at + 12 + axis] = numbers[i + 3]
      }
    }
  }

  /** The same way back. */
  #give(bySpaces: Float64Array, row: number): void {
    const numbers = this.#byNumbers
    for (let at = 0, i = row * this.#width; at < bySpaces.length; at += 16) {
      for (let axis = 0; axis < 3; axis++, i += 4) {
        numbers[i] = bySpaces[at + axis]
        numbers[i + 1] = bySpaces[at + 4 + axis]
        numbers[i + 2] = bySpaces[at + 8 + axis]
        numbers[i + 3] = bySpaces[at + 12 + axis]
      }
    }
  }
}
