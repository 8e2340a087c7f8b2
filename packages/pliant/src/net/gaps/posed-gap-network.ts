/** A posed gap network (formula and tensors: posed-gap-shape.ts): joints and gaps in plain code, layers by the host's best. */
import type { Floats } from '../../math/floats.js'
import type { JointSpaces } from '../../model/joint-spaces.js'
import type { NetworkOptions } from '../create-network.js'
import { createDenseNetwork, type DenseNetwork } from '../dense/dense-network.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import type { GapBackend } from './gap-network.js'
import { denseOfPosedGaps, type PosedGapShape, posedGapTensors, TERM_SIZE, wrongTerm } from './posed-gap-shape.js'
import { SeenGaps } from './seen-gaps.js'

/** Codes whose inputs are made before the dense layers are asked: few enough to stay in the cache. */
const CHUNK = 64

export class PosedGapNetwork implements GapBackend {
  readonly #inputs: Float32Array
  readonly #inputGradients: Float32Array
  /** Of all pairs, and where the least of each row is. */
  readonly #values: Float32Array
  readonly #cotangents: Float32Array
  readonly #vectors: Float64Array
  readonly #seen: SeenGaps
  readonly #bySpaces: Float64Array
  readonly #gapOf: Uint32Array
  /** Where the matrix of each term's joint begins. */
  readonly #matrixOf: Uint32Array
  readonly #points: Float64Array

  private constructor(
    readonly shape: PosedGapShape,
    tensors: Tensors,
    private readonly joints: JointSpaces,
    private readonly dense: DenseNetwork,
  ) {
    const { codeSize, gaps, terms, pairs } = shape
    this.#inputs = new Float32Array(CHUNK * (codeSize + gaps))
    this.#inputGradients = new Float32Array(CHUNK * (codeSize + gaps))
    this.#values = new Float32Array(CHUNK * pairs)
    this.#cotangents = new Float32Array(CHUNK * pairs)
    this.#vectors = new Float64Array(3 * gaps)
    this.#seen = new SeenGaps(tensors)
    this.#bySpaces = new Float64Array(16 * joints.jointCount)
    const rows = tensors.get('gap.terms')!
    this.#gapOf = Uint32Array.from({ length: terms }, (_, t) => rows[TERM_SIZE * t])
    this.#matrixOf = Uint32Array.from({ length: terms }, (_, t) => 16 * rows[TERM_SIZE * t + 1])
    this.#points = Float64Array.from({ length: 4 * terms }, (_, i) => rows[TERM_SIZE * (i >> 2) + 2 + (i & 3)])
  }

  /**
   * @param tensors  everything that `posedGapTensors(shape)` lists
   * @throws RangeError if a size is none, a tensor is missing or has the wrong length, or a term names a gap or joint that
   *   is not there; what the backend throws
   */
  static async create(
    shape: PosedGapShape,
    tensors: Tensors,
    joints: JointSpaces,
    options: NetworkOptions = {},
  ): Promise<PosedGapNetwork> {
    requireSizes('posed gap network', [
      ['codeSize', shape.codeSize, 1],
      ['gaps', shape.gaps, 1],
      ['terms', shape.terms, 1],
      ['pairs', shape.pairs, 1],
    ])
    requireTensors('posed gap network', posedGapTensors(shape), tensors)
    requireTerms(shape, tensors.get('gap.terms')!)
    const dense = await createDenseNetwork(denseOfPosedGaps(shape), tensors, options)
    return new PosedGapNetwork(shape, tensors, joints, dense)
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
      const codeOf = (row: number): Floats => codes.subarray((first + row) * codeSize, (first + row + 1) * codeSize)
      for (let row = 0; row < rows; row++) this.#writeInputs(codeOf(row), row)
      this.dense.evaluate(this.#inputs, rows, this.#values)
      this.#takeLeast(rows, values, first)
      if (gradients === undefined) continue
      this.dense.pullBack(this.#inputs, rows, this.#cotangents, this.#values, this.#inputGradients)
      for (let row = 0; row < rows; row++) {
        const o = (first + row) * codeSize
        // Of one code alone the joints are there already.
        if (rows > 1) this.#moveTo(codeOf(row))
        this.#writeGradient(row, gradients.subarray(o, o + codeSize))
      }
    }
  }

  /** How far every pair of parts is apart at one code. @param out  receives a number for each */
  queryPairs(code: Floats, out: Floats): void {
    this.#writeInputs(code, 0)
    this.dense.evaluate(this.#inputs, 1, this.#values)
    for (let pair = 0; pair < this.shape.pairs; pair++) out[pair] = this.#values[pair]
  }

  /** From the gradient of a number by these, at the code that was asked last, to its gradient by that code. */
  pullBackPairs(cotangents: ArrayLike<number>, out: Floats): void {
    this.#cotangents.set(cotangents)
    this.dense.pullBack(this.#inputs, 1, this.#cotangents, this.#values, this.#inputGradients)
    this.#writeGradient(0, out)
  }

  dispose(): void {
    this.dense.dispose()
  }

  /** Of each row the least value, and a cotangent of one there. */
  #takeLeast(rows: number, values: Floats, first: number): void {
    const { pairs } = this.shape
    this.#cotangents.fill(0)
    for (let row = 0; row < rows; row++) {
      let least = row * pairs
      for (let i = least + 1; i < (row + 1) * pairs; i++) if (this.#values[i] < this.#values[least]) least = i
      values[first + row] = this.#values[least]
      this.#cotangents[least] = 1
    }
  }

  #writeInputs(code: Floats, row: number): void {
    const { codeSize, gaps } = this.shape
    const o = row * (codeSize + gaps)
    for (let k = 0; k < codeSize; k++) this.#inputs[o + k] = code[k]
    this.#moveTo(code)
    this.#seen.write(this.#vectors, 0, this.#inputs, o + codeSize)
  }

  /** Joints, then the vectors of all gaps. */
  #moveTo(code: Floats): void {
    this.joints.moveTo(code)
    const { spaces: m } = this.joints
    const v = this.#vectors.fill(0)
    const p = this.#points
    for (let t = 0, i = 0; t < this.#gapOf.length; t++, i += 4) {
      const [g, o] = [3 * this.#gapOf[t], this.#matrixOf[t]]
      for (let row = 0; row < 3; row++) {
        const at = o + row
        v[g + row] += m[at] * p[i] + m[at + 4] * p[i + 1] + m[at + 8] * p[i + 2] + m[at + 12] * p[i + 3]
      }
    }
  }

  /** dy/dq = dy/dq directly + by the gaps: dy/dG = dy/dv p^T, then by the joints. */
  #writeGradient(row: number, out: Floats): void {
    const { codeSize, gaps } = this.shape
    const given = this.#inputGradients
    const o = row * (codeSize + gaps)
    const v = this.#vectors
    this.#seen.pullBack(v, 0, given, o + codeSize)
    const by = this.#bySpaces.fill(0)
    const p = this.#points
    for (let t = 0, i = 0; t < this.#gapOf.length; t++, i += 4) {
      const [g, at] = [3 * this.#gapOf[t], this.#matrixOf[t]]
      for (let column = 0; column < 4; column++) {
        for (let axis = 0; axis < 3; axis++) by[at + 4 * column + axis] += v[g + axis] * p[i + column]
      }
    }
    this.joints.pullBack(by, out)
    for (let k = 0; k < codeSize; k++) out[k] += given[o + k]
  }
}

/** @throws RangeError naming the first term of a gap or joint that is not there */
function requireTerms(shape: PosedGapShape, rows: Float32Array): void {
  const t = wrongTerm(shape, rows)
  if (t < 0) return
  const [gap, joint] = rows.subarray(TERM_SIZE * t)
  throw new RangeError(
    `posed gap network: term ${t} is of gap ${gap} and joint ${joint}; there are ${shape.gaps} and ${shape.joints}.`,
  )
}
