/** A gap network (formula and tensors: gap-shape.ts), ready to be asked: gaps in plain code, the dense layers by the fastest backend. */
import type { Floats } from '../../math/floats.js'
import type { NetworkOptions } from '../create-network.js'
import { createDenseNetwork, type DenseNetwork } from '../dense/dense-network.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import { denseOfGaps, type GapShape, gapTensors } from './gap-shape.js'

/** Codes whose inputs are made before the dense layers are asked: few enough to stay in the cache. */
const CHUNK = 128

export class GapNetwork {
  readonly #inputs: Float32Array
  readonly #inputGradients: Float32Array
  readonly #values: Float32Array
  /** Vectors of the gaps of the code at hand. */
  readonly #vectors: Float64Array

  private constructor(
    readonly shape: GapShape,
    private readonly tensors: Tensors,
    private readonly dense: DenseNetwork,
  ) {
    const width = shape.codeSize + shape.gaps
    this.#inputs = new Float32Array(CHUNK * width)
    this.#inputGradients = new Float32Array(CHUNK * width)
    this.#values = new Float32Array(CHUNK)
    this.#vectors = new Float64Array(3 * shape.gaps)
  }

  /**
   * @param tensors  everything that `gapTensors(shape)` lists
   * @throws RangeError if a size is none, or a tensor is missing or has the wrong length; what the backend throws
   */
  static async create(shape: GapShape, tensors: Tensors, options: NetworkOptions = {}): Promise<GapNetwork> {
    requireSizes('gap network', [
      ['codeSize', shape.codeSize, 1],
      ['gaps', shape.gaps, 0],
    ])
    requireTensors('gap network', gapTensors(shape), tensors)
    return new GapNetwork(shape, tensors, await createDenseNetwork(denseOfGaps(shape), tensors, options))
  }

  get backend(): Backend {
    return this.dense.backend
  }

  get backendNote(): string | undefined {
    return this.dense.backendNote
  }

  /**
   * Values and, if there is room for them, gradients by the code; arrays are checked by the caller.
   * @param codes      one after the other
   * @param values     receives one number for each
   * @param gradients  receives `codeSize` numbers for each
   */
  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const { codeSize, gaps } = this.shape
    const width = codeSize + gaps
    for (let first = 0; first < count; first += CHUNK) {
      const rows = Math.min(CHUNK, count - first)
      for (let row = 0; row < rows; row++) this.#writeInputs(codes, (first + row) * codeSize, row * width)
      if (gradients === undefined) this.dense.evaluate(this.#inputs, rows, this.#values)
      else this.dense.pullBack(this.#inputs, rows, null, this.#values, this.#inputGradients)
      for (let row = 0; row < rows; row++) {
        values[first + row] = this.#values[row]
        if (gradients !== undefined) this.#writeGradient(codes, (first + row) * codeSize, row * width, gradients)
      }
    }
  }

  dispose(): void {
    this.dense.dispose()
  }

  #writeInputs(codes: Floats, code: number, o: number): void {
    const { codeSize, gaps } = this.shape
    for (let k = 0; k < codeSize; k++) this.#inputs[o + k] = codes[code + k]
    if (gaps === 0) return
    this.#writeVectors(codes, code)
    const [softening, scale, shift] = [this.#of('softening'), this.#of('scale'), this.#of('shift')]
    const v = this.#vectors
    for (let k = 0, i = 0; k < gaps; k++, i += 3) {
      const square = v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2] + softening[k] * softening[k]
      this.#inputs[o + codeSize + k] = scale[k] * Math.log(square) + shift[k]
    }
  }

  #writeVectors(codes: Floats, code: number): void {
    const { codeSize } = this.shape
    const vector = this.#of('vector')
    const v = this.#vectors
    const width = v.length
    for (let i = 0; i < width; i++) v[i] = vector[codeSize * width + i]
    for (let k = 0; k < codeSize; k++) {
      const weight = codes[code + k]
      for (let i = 0, o = k * width; i < width; i++, o++) v[i] += weight * vector[o]
    }
  }

  /** dy/dq = dy/dq directly + sum over the gaps of dy/dg 2 a (v . dv/dq) / (|v|^2 + e^2). */
  #writeGradient(codes: Floats, code: number, o: number, gradients: Floats): void {
    const { codeSize, gaps } = this.shape
    const given = this.#inputGradients
    for (let k = 0; k < codeSize; k++) gradients[code + k] = given[o + k]
    if (gaps === 0) return
    this.#writeVectors(codes, code)
    const [vector, softening, scale] = [this.#of('vector'), this.#of('softening'), this.#of('scale')]
    const v = this.#vectors
    for (let k = 0, i = 0; k < gaps; k++, i += 3) {
      const square = v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2] + softening[k] * softening[k]
      const factor = (2 * scale[k] * given[o + codeSize + k]) / square
      v[i] *= factor
      v[i + 1] *= factor
      v[i + 2] *= factor
    }
    for (let k = 0; k < codeSize; k++) {
      let sum = 0
      for (let i = 0, at = k * v.length; i < v.length; i++, at++) sum += v[i] * vector[at]
      gradients[code + k] += sum
    }
  }

  #of(name: string): Float32Array {
    return this.tensors.get(`gap.${name}`)!
  }
}
