/** A posed gap network (formula and tensors: posed-gap-shape.ts), ready to be asked, by the fastest backend that the host has. */
import type { Floats } from '../../math/floats.js'
import { chooseBackend } from '../choose-backend.js'
import type { NetworkOptions } from '../create-network.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import type { CodeFrames, VisitFrames } from './code-frames.js'
import type { GapBackend } from './gap-network.js'
import { PLACE_TENSORS, type PosedGapShape, posedGapTensors, wrongPlace } from './posed-gap-shape.js'
import { ScalarPairs } from './scalar-pairs.js'
import { createSimdPairs } from './wasm/simd-pairs.js'

/** What tells how far all pairs of parts are apart. */
export interface PairValues {
  /**
   * @param spaces  of all frames, column-major 4x4 each
   * @param out     receives a number for each pair; that of pairs that are too far apart to be looked at is `far`
   */
  write(spaces: Float64Array, out: Float64Array): void
}

export class PosedGapNetwork implements GapBackend {
  readonly #values: PairValues
  /** Of all pairs, at the code that was asked last. */
  readonly #all: Float64Array
  /** The way back, which few pairs take. */
  readonly #pairs: ScalarPairs
  readonly #bySpaces: Float64Array

  private constructor(
    readonly shape: PosedGapShape,
    private readonly frames: CodeFrames,
    readonly backend: Backend,
    readonly backendNote: string | undefined,
    pairs: ScalarPairs,
    values: PairValues,
  ) {
    this.#values = values
    this.#pairs = pairs
    this.#all = new Float64Array(shape.pairs)
    this.#bySpaces = new Float64Array(16 * shape.frames)
  }

  /**
   * @param tensors  everything that `posedGapTensors(shape)` lists
   * @throws RangeError if a size is none, a tensor is missing or has the wrong length, or a place names a frame that is not
   *   there; what `chooseBackend` throws
   */
  static async create(
    shape: PosedGapShape,
    tensors: Tensors,
    frames: CodeFrames,
    options: NetworkOptions = {},
  ): Promise<PosedGapNetwork> {
    requireSizes('posed gap network', [
      ['codeSize', shape.codeSize, 1],
      ['pairs', shape.pairs, 1],
      ['places', shape.places, 1],
      ['seen', shape.seen, 1],
    ])
    if (shape.seen > shape.places) {
      throw new RangeError(`posed gap network: ${shape.seen} places are seen; there are ${shape.places}.`)
    }
    requireTensors('posed gap network', posedGapTensors(shape), tensors)
    for (const name of PLACE_TENSORS) {
      const wrong = wrongPlace(shape.frames, tensors.get(name)!)
      if (!wrong) continue
      const { row, frame } = wrong
      throw new RangeError(`posed gap network: ${name}[${row}] is of frame ${frame}; there are ${shape.frames}.`)
    }
    const { backend, backendNote } = chooseBackend(options.backend)
    const pairs = new ScalarPairs(shape, tensors)
    const values =
      backend === 'scalar'
        ? allPairs(shape, pairs)
        : await createSimdPairs(shape, tensors, { relaxed: backend === 'simd-relaxed', threads: 1 })
    return new PosedGapNetwork(shape, frames, backend, backendNote, pairs, values)
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const visit: VisitFrames = (row, bySpaces) => {
      this.#values.write(this.frames.spaces, this.#all)
      const least = indexOfLeast(this.#all)
      values[row] = this.#all[least]
      if (bySpaces) this.#addPullBack(least, 1, bySpaces)
    }
    this.frames.moveThrough(codes, count, visit, gradients)
  }

  /** How far every pair of parts is apart at one code. @param out  receives a number for each */
  queryPairs(code: Floats, out: Floats): void {
    this.frames.moveTo(code)
    this.#values.write(this.frames.spaces, this.#all)
    out.set(this.#all)
  }

  /** From the gradient of a number by these, at the code that was asked last, to its gradient by that code. */
  pullBackPairs(cotangents: ArrayLike<number>, out: Floats): void {
    this.#bySpaces.fill(0)
    for (let pair = 0; pair < this.shape.pairs; pair++) {
      if (cotangents[pair] !== 0) this.#addPullBack(pair, cotangents[pair], this.#bySpaces)
    }
    this.frames.pullBack(this.#bySpaces, out)
  }

  dispose(): void {}

  /** Those that are not looked at are the same whatever the code is. */
  #addPullBack(pair: number, cotangent: number, bySpaces: Float64Array): void {
    const { spaces } = this.frames
    if (!this.#pairs.isNear(spaces, pair)) return
    this.#pairs.value(spaces, pair)
    this.#pairs.pullBack(spaces, pair, cotangent, bySpaces)
  }
}

/** In plain code. */
function allPairs({ pairs: count, far }: PosedGapShape, pairs: ScalarPairs): PairValues {
  return {
    write(spaces, out) {
      for (let pair = 0; pair < count; pair++) out[pair] = pairs.isNear(spaces, pair) ? pairs.value(spaces, pair) : far
    },
  }
}

function indexOfLeast(values: Float64Array): number {
  let least = 0
  for (let i = 1; i < values.length; i++) if (values[i] < values[least]) least = i
  return least
}
