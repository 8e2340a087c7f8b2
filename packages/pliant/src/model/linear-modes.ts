/**
 * Linear modes: vertex positions x = X + U q (Zesch et al. section 3.1; Cai et al. section 3). A static object is the
 * case of no modes.
 */
import type { Floats } from '../math/floats.js'
import { requireNumbers } from '../math/require.js'
import type { ReducedModel } from './reduced-model.js'

export interface LinearModesData {
  /** Rest positions [m], xyz triples. */
  rest: Float64Array
  /** One displacement field [m per unit of code] after the other, each as long as `rest`. */
  modes: Float64Array
  /** Surface triangles, vertex index triples, outward by the right-hand rule. */
  triangles: Uint32Array
  /** Range of the code in use. */
  bounds: { lower: Float64Array; upper: Float64Array }
}

/**
 * A surface that bends by linear modes: positions = rest + sum of code entry times mode. A static object has no
 * modes.
 */
export class LinearModes implements ReducedModel {
  /** How many modes, and numbers in a code. */
  readonly codeSize: number
  /** How many vertices. */
  readonly vertexCount: number
  /** Rest positions [m], xyz triples. */
  readonly rest: Float64Array
  /** One displacement field [m per unit of code] after the other, each as long as `rest`. */
  readonly modes: Float64Array
  readonly triangles: Uint32Array
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  /** Cholesky factor of U^T U, made at the first `encode`. */
  #factor: Float64Array | undefined

  /**
   * Made by whoever decodes a file or trains one.
   * @throws RangeError if lengths disagree or a triangle names a vertex that is not there
   * @internal
   */
  constructor({ rest, modes, triangles, bounds }: LinearModesData) {
    this.rest = rest
    this.modes = modes
    this.triangles = triangles
    this.bounds = bounds
    this.vertexCount = rest.length / 3
    this.codeSize = bounds.lower.length
    if (!Number.isInteger(this.vertexCount) || this.vertexCount === 0) {
      throw new RangeError(`linear modes: rest has ${rest.length} values; give xyz triples of at least one vertex.`)
    }
    if (modes.length !== this.codeSize * rest.length || bounds.upper.length !== this.codeSize) {
      throw new RangeError(
        `linear modes: ${modes.length} mode values for ${this.codeSize} codes and ${this.vertexCount} vertices; give ${this.codeSize * rest.length}.`,
      )
    }
    for (const vertex of triangles) {
      if (vertex >= this.vertexCount) {
        throw new RangeError(`linear modes: a triangle names vertex ${vertex} of ${this.vertexCount}.`)
      }
    }
  }

  /** @throws RangeError if the code has another length or is not finite, or there is no room */
  positions(code: ArrayLike<number>, out: Floats): void {
    requireNumbers('linear modes', code, 'code value', this.codeSize)
    const { rest, modes } = this
    out.set(rest)
    for (let k = 0; k < this.codeSize; k++) {
      const weight = code[k]
      if (weight === 0) continue
      const start = k * rest.length
      for (let i = 0; i < rest.length; i++) out[i] += weight * modes[start + i]
    }
  }

  /** The code whose shape is nearest to given positions [m], by least squares. */
  encode(positions: Floats, out: Floats): void {
    const { rest, modes, codeSize } = this
    this.#factor ??= choleskyOfModes(modes, codeSize, rest.length)
    const factor = this.#factor
    for (let k = 0; k < codeSize; k++) {
      let sum = 0
      for (let i = 0; i < rest.length; i++) sum += modes[k * rest.length + i] * (positions[i] - rest[i])
      for (let j = 0; j < k; j++) sum -= factor[k * codeSize + j] * out[j]
      out[k] = sum / factor[k * codeSize + k]
    }
    for (let k = codeSize - 1; k >= 0; k--) {
      let sum = out[k]
      for (let j = k + 1; j < codeSize; j++) sum -= factor[j * codeSize + k] * out[j]
      out[k] = sum / factor[k * codeSize + k]
    }
  }
}

/** Lower factor of the Gram matrix of the modes. @throws Error if two modes are linearly dependent */
function choleskyOfModes(modes: Float64Array, count: number, length: number): Float64Array {
  const factor = new Float64Array(count * count)
  for (let row = 0; row < count; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = 0
      for (let i = 0; i < length; i++) sum += modes[row * length + i] * modes[column * length + i]
      const gram = sum
      for (let j = 0; j < column; j++) sum -= factor[row * count + j] * factor[column * count + j]
      if (row === column && !(sum > 1e-12 * gram)) {
        throw new Error(`linear modes: mode ${row} depends on the modes before it; leave it out.`)
      }
      factor[row * count + column] = row === column ? Math.sqrt(sum) : sum / factor[column * count + column]
    }
  }
  return factor
}
