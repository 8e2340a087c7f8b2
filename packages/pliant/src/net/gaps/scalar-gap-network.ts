/** The gap network in plain code: the fallback, and the reference that the kernels are checked against. */
import type { Floats } from '../../math/floats.js'
import type { DenseNetwork } from '../dense/dense-network.js'
import type { Backend, Tensors } from '../network.js'
import type { GapBackend } from './gap-network.js'
import type { GapShape } from './gap-shape.js'

/** Codes whose inputs are made before the dense layers are asked: few enough to stay in the cache. */
const CHUNK = 128

export class ScalarGapNetwork implements GapBackend {
  readonly #inputs: Float32Array
  readonly #inputGradients: Float32Array
  readonly #values: Float32Array
  /** Vectors of the gaps at each code of a chunk, kept for the way back. */
  readonly #vectors: Float64Array

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
    const [softening, scale, shift] = [this.#of('softening'), this.#of('scale'), this.#of('shift')]
    const v = this.#vectors
    for (let k = 0, i = row * 3 * gaps; k < gaps; k++, i += 3) {
      const square = v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2] + softening[k] * softening[k]
      this.#inputs[o + codeSize + k] = scale[k] * Math.log(square) + shift[k]
    }
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
    const [vector, softening, scale] = [this.#of('vector'), this.#of('softening'), this.#of('scale')]
    const v = this.#vectors
    const from = row * 3 * gaps
    for (let k = 0, i = from; k < gaps; k++, i += 3) {
      const square = v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2] + softening[k] * softening[k]
      const factor = (2 * scale[k] * given[o + codeSize + k]) / square
      v[i] *= factor
      v[i + 1] *= factor
      v[i + 2] *= factor
    }
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
