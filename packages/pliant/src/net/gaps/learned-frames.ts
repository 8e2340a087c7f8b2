/**
 * Frames that a dense network tells of a code: twelve numbers each, three rows of four, which is where a patch of a surface
 * is and how it is turned. What joints are to a character, for shapes that have none.
 */
import type { Floats } from '../../math/floats.js'
import type { DenseNetwork } from '../dense/dense-network.js'
import type { CodeFrames } from './code-frames.js'

/** Numbers that a frame is told by. */
export const FRAME_SIZE = 12

export class LearnedFrames implements CodeFrames {
  readonly spaces: Float64Array
  readonly #network: DenseNetwork
  readonly #code: Float64Array
  readonly #numbers: Float64Array
  readonly #many: Float64Array
  readonly #byNumbers: Float64Array
  readonly #byCode: Float64Array

  /** @param network  from a code to twelve numbers for each frame */
  constructor(network: DenseNetwork) {
    const { inputs, outputs } = network.shape
    this.#network = network
    this.#code = new Float64Array(inputs)
    this.#byCode = new Float64Array(inputs)
    this.#numbers = new Float64Array(outputs)
    this.#many = new Float64Array(TOGETHER * outputs)
    this.#byNumbers = new Float64Array(outputs)
    this.spaces = new Float64Array((16 * outputs) / FRAME_SIZE)
    for (let at = 15; at < this.spaces.length; at += 16) this.spaces[at] = 1
  }

  moveTo(code: ArrayLike<number>): void {
    this.#code.set(code)
    this.#network.evaluate(this.#code, 1, this.#numbers)
    this.#take(this.#numbers, 0)
  }

  moveThrough(codes: Floats, count: number, visit: (row: number) => void): void {
    const [size, width] = [this.#code.length, this.#numbers.length]
    for (let first = 0; first < count; first += TOGETHER) {
      const rows = Math.min(TOGETHER, count - first)
      this.#network.evaluate(codes.subarray(first * size, (first + rows) * size), rows, this.#many)
      for (let row = 0; row < rows; row++) {
        this.#code.set(codes.subarray((first + row) * size, (first + row + 1) * size))
        this.#take(this.#many, row * width)
        visit(first + row)
      }
    }
  }

  pullBack(bySpaces: Float64Array, out: Floats): void {
    for (let i = 0; i < this.#byNumbers.length; i++) this.#byNumbers[i] = bySpaces[placeOf(i)]
    this.#network.pullBack(this.#code, 1, this.#byNumbers, this.#numbers, this.#byCode)
    for (let k = 0; k < this.#byCode.length; k++) out[k] = this.#byCode[k]
  }

  dispose(): void {
    this.#network.dispose()
  }

  /** @param numbers  of the frames, from `at` on */
  #take(numbers: Floats, at: number): void {
    for (let i = 0; i < this.#numbers.length; i++) this.spaces[placeOf(i)] = numbers[at + i]
  }
}

/** Codes whose frames are computed at once. */
const TOGETHER = 64

/** From rows of four to columns of four. */
function placeOf(i: number): number {
  const [frame, within] = [Math.trunc(i / FRAME_SIZE), i % FRAME_SIZE]
  return 16 * frame + 4 * (within % 4) + Math.trunc(within / 4)
}
