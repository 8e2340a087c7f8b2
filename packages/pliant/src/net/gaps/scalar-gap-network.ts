/** The gap network in plain code: the fallback, and the reference that the kernels are checked against. */
import type { Floats } from '../../math/floats.js'
import type { DenseNetwork } from '../dense/dense-network.js'
import type { Backend, Tensors } from '../network.js'
import type { GapBackend } from './gap-network.js'
import type { GapShape } from './gap-shape.js'
import { SeenGaps } from './seen-gaps.js'

/** Codes whose inputs are made before the dense layers are asked: few enough to stay in the cache. */
const CHUNK = 128

export class ScalarGapNetwork implements GapBackend {
  readonly #inputs: Float32Array
  readonly #inputGradients: Float32Array
  readonly #values: Float32Array
  /** Vectors of the gaps at each code of a chunk, kept for the way back. */
  readonly #vectors: Float64Array
  readonly #seen: SeenGaps

  /** @param dense  the layers behind the gaps */
  constructor(
    private readonly shape: GapShape,
    private readonly tensors: Tensors,
    private readonly dense: DenseNetwork,
  ) {
    const width = shape.codeSize + shape.gaps
    this.#inputs = new Float32Array(CHUNK * width)
    this.#inputGradients = new Float32Array(CHUNK * width)
    this.#values = new Float32Array(CHUNK)
    this.#vectors = new Float64Array(CHUNK * 3 * shape.gaps)
    this.#seen = new SeenGaps(tensors)
  }

  get backend(): Backend {
    return this.dense.backend
  }

  get backendNote(): string | undefined {
    return this.dense.backendNote
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const { codeSize } = this.shape
    for (let first = 0; first < count; first += CHUNK) {
      const rows = Math.min(CHUNK, count - first)
      for (let row = 0; row < rows; row++) this.#writeInputs(codes, (first + row) * codeSize, row)
      if (gradients === undefined) this.dense.evaluate(this.#inputs, rows, this.#values)
      else this.dense.pullBack(this.#inputs, rows, null, this.#values, this.#inputGradients)
      for (let row = 0; row < rows; row++) {
        values[first + row] = this.#values[row]
        if (gradients !== undefined) this.#writeGradient((first + row) * codeSize, row, gradients)
      }
    }
  }

  dispose(): void {
    this.dense.dispose()
  }

  #writeInputs(codes: Floats, code: number, row: number): void {
    const { codeSize, gaps } = this.shape
    const o = row * (codeSize + gaps)
    for (let k = 0; k < codeSize; k++) this.#inputs[o + k] = codes[code + k]
    if (gaps === 0) return
    this.#writeVectors(codes, code, row)
    this.#seen.write(this.#vectors, row * 3 * gaps, this.#inputs, o + codeSize)
  }

  #writeVectors(codes: Floats, code: number, row: number): void {
    const { codeSize, gaps } = this.shape
    const vector = this.#of('vector')
    const v = this.#vectors
    const width = 3 * gaps
    const to = row * width
    for (let i = 0; i < width; i++) v[to + i] = vector[codeSize * width + i]
    for (let k = 0; k < codeSize; k++) {
      const weight = codes[code + k]
      for (let i = 0, o = k * width; i < width; i++, o++) v[to + i] += weight * vector[o]
    }
  }

  /** dy/dq = dy/dq directly + sum over the gaps of dy/dg 2 a (v . dv/dq) / (|v|^2 + e^2). */
  #writeGradient(code: number, row: number, gradients: Floats): void {
    const { codeSize, gaps } = this.shape
    const given = this.#inputGradients
    const o = row * (codeSize + gaps)
    for (let k = 0; k < codeSize; k++) gradients[code + k] = given[o + k]
    if (gaps === 0) return
    const vector = this.#of('vector')
    const v = this.#vectors
    const from = row * 3 * gaps
    this.#seen.pullBack(v, from, given, o + codeSize)
    for (let k = 0; k < codeSize; k++) {
      let sum = 0
      for (let i = 0, at = k * 3 * gaps; i < 3 * gaps; i++, at++) sum += v[from + i] * vector[at]
      gradients[code + k] += sum
    }
  }

  #of(name: string): Float32Array {
    return this.tensors.get(`gap.${name}`)!
  }
}
