/**
 * A learned space of shapes: code -> features -> vertices (Tan et al. 2022, section 3.1),
 *
 *   D(Z) = sum over i of a_i D_i(Z_i),  V = ACAP^-1(D(Z)),
 *
 * with part 0 for the whole and one part for each domain, weighed by its attention a_i; the code is Z_0, Z_1 ... end to end.
 * Networks speak of features less their mean, over one scale for all channels.
 *
 * Frame: shapes are aligned with the reference, as features are (its place by the centre, vertices weighted by their areas;
 * its rotation by what features say of it). `encode` does not see rigid motion, and tells it on request.
 */
import type { Floats } from '../../math/floats.js'
import { requireCount, requireNumbers } from '../../math/require.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { AcapFeatures } from '../acap/acap-features.js'
import { AcapInverse } from '../acap/acap-inverse.js'
import { ACAP_CHANNELS } from '../acap/channels.js'
import type { DifferentiableModel, MovedPoints } from '../reduced-model.js'
import { stepToNearest } from './nearest-code.js'
import type { PartSight, ShapePart } from './shape-part.js'
import { ShapeSpacePoints } from './shape-space-points.js'

/** What a shape space is beside its networks. */
export interface ShapeFrame {
  /** The mesh that shapes are compared with. */
  reference: TriangleMesh
  /** Of `AcapInverse`. */
  fitWeight: number
  /** Features in the middle of the shapes learned from, nine per vertex. */
  mean: Float32Array
  /** Features are `mean + scale * number`. */
  scale: number
  /** Ranges of code entries over the shapes learned from. */
  bounds: { lower: Float64Array; upper: Float64Array }
}

export class ShapeSpace implements DifferentiableModel {
  readonly codeSize: number
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
  readonly vertexCount: number
  readonly triangles: Uint32Array
  /** Level 1, then one per domain. */
  readonly parts: readonly ShapePart[]
  /** Where each part's share of the code begins. */
  readonly codeStarts: Uint32Array
  /** Of each vertex, the domain with the largest attention, 0 for part 1. */
  readonly domains: Uint32Array
  readonly #mean: Float32Array
  readonly #scale: number
  /** The mesh that shapes are compared with. */
  readonly reference: TriangleMesh
  readonly #inverse: AcapInverse
  #forward: AcapFeatures | undefined
  /** Of the whole surface. */
  readonly #features: Float64Array
  readonly #byFeatures: Float64Array
  /** Of one part. */
  readonly #numbers: Float64Array
  readonly #cotangents: Float64Array
  readonly #partCode: Float64Array
  readonly #byPartCode: Float64Array

  /**
   * Made by `createShapeSpace`, which has the networks.
   * @throws RangeError if lengths disagree
   */
  constructor({ reference, fitWeight, mean, scale, bounds }: ShapeFrame, parts: readonly ShapePart[]) {
    this.vertexCount = reference.positions.length / 3
    this.triangles = reference.triangles
    this.parts = parts
    this.bounds = bounds
    this.codeStarts = new Uint32Array(parts.length)
    for (let i = 1; i < parts.length; i++) this.codeStarts[i] = this.codeStarts[i - 1] + parts[i - 1].codeSize
    this.codeSize = parts.reduce((sum, { codeSize }) => sum + codeSize, 0)
    requireCount('shape space: mean', mean, 'vertex', this.vertexCount, ACAP_CHANNELS)
    requireCount('shape space: lower bounds', bounds.lower, 'code value', this.codeSize, 1)
    requireCount('shape space: upper bounds', bounds.upper, 'code value', this.codeSize, 1)
    this.#mean = mean
    this.#scale = scale
    this.reference = reference
    this.#inverse = new AcapInverse(reference, { fitWeight })
    this.domains = strongest(parts.slice(1), this.vertexCount)
    const size = ACAP_CHANNELS * this.vertexCount
    this.#features = new Float64Array(size)
    this.#byFeatures = new Float64Array(size)
    this.#numbers = new Float64Array(size)
    this.#cotangents = new Float64Array(size)
    this.#partCode = new Float64Array(this.codeSize)
    this.#byPartCode = new Float64Array(this.codeSize)
  }

  /** @throws RangeError if the code has another length or is not finite, or there is no room */
  positions(code: ArrayLike<number>, out: Floats): void {
    this.features(code, this.#features)
    this.#inverse.positions(this.#features, out)
  }

  /**
   * @param out  receives ACAP features of the shape at a code, nine per vertex
   * @throws RangeError if the code has another length or is not finite
   */
  features(code: ArrayLike<number>, out: Floats): void {
    requireNumbers('shape space', code, 'code value', this.codeSize)
    out.set(this.#mean)
    for (const i of this.parts.keys()) this.#addPart(i, code, this.#scale, out)
  }

  /**
   * The code whose features are nearest, about: what the encoders say, and one step of Gauss-Newton.
   * @param positions  wherever the shape is [m]
   * @param frame      if given, receives the rigid motion that carries `positions(code)` to where the shape is, as a
   *                   column-major 4x4
   * @throws RangeError if there is another number of vertices, or naming one that is not finite
   */
  encode(positions: Floats, out: Floats, frame?: Floats): void {
    this.#forward ??= new AcapFeatures(this.reference)
    const features = this.#byFeatures
    this.#forward.encode(positions, features, frame)
    this.encodeFeatures(features, out)
  }

  /**
   * The same of ACAP features.
   * @param steps  of Gauss-Newton behind the encoders: 0 to have their word, more for the last digits
   */
  encodeFeatures(features: Floats, out: Floats, steps = 1): void {
    requireCount('shape space: features', features, 'vertex', this.vertexCount, ACAP_CHANNELS)
    const left = this.#features
    for (let i = 0; i < left.length; i++) left[i] = (features[i] - this.#mean[i]) / this.#scale
    this.parts.forEach((part, i) => {
      takeNumbers(part, left, 1, this.#numbers)
      part.encoder.evaluate(this.#numbers, 1, this.#partCode)
      for (let k = 0; k < part.codeSize; k++) out[this.codeStarts[i] + k] = this.#partCode[k]
      // Domains see what is left of the shape by the whole.
      if (i > 0) return
      this.#addPart(0, out, -1, left)
    })
    for (let step = 0; step < steps; step++) {
      for (let i = 0; i < left.length; i++) left[i] = (features[i] - this.#mean[i]) / this.#scale
      for (const i of this.parts.keys()) this.#addPart(i, out, -1, left)
      if (!stepToNearest(this.parts, this.codeStarts, left, out)) return
    }
  }

  /**
   * The vector-Jacobian product of `positions`.
   * @param byPositions  gradient of something by all vertices, xyz triples
   * @param out          receives its gradient by the code
   */
  pullBack(code: ArrayLike<number>, byPositions: Floats, out: Floats): void {
    this.features(code, this.#features)
    this.#inverse.positionsGradient(this.#features, byPositions, this.#byFeatures)
    this.parts.forEach((part, i) => {
      takeNumbers(part, this.#byFeatures, this.#scale, this.#cotangents)
      this.#takeCode(i, code)
      part.decoder.pullBack(this.#partCode, 1, this.#cotangents, this.#numbers, this.#byPartCode)
      for (let k = 0; k < part.codeSize; k++) out[this.codeStarts[i] + k] = this.#byPartCode[k]
    })
  }

  /** Whatever their number, one solve with the matrix of the whole surface each way: features of all vertices move each. */
  movedPoints(vertices?: ArrayLike<number>): MovedPoints {
    return new ShapeSpacePoints(this, vertices)
  }

  /** Adds what a part says of its vertices at a code, times its attention and a factor. */
  #addPart(i: number, code: ArrayLike<number>, factor: number, whole: Floats): void {
    const part = this.parts[i]
    if (part.affine) {
      part.affine.add(code, this.codeStarts[i], factor, whole)
      return
    }
    this.#takeCode(i, code)
    part.decoder.evaluate(this.#partCode, 1, this.#numbers)
    addNumbers(part, this.#numbers, factor, whole)
  }

  #takeCode(part: number, code: ArrayLike<number>): void {
    const start = this.codeStarts[part]
    for (let k = 0; k < this.parts[part].codeSize; k++) this.#partCode[k] = code[start + k]
  }
}

/** What a part sees of numbers of the whole: those of its vertices, times its attention and a factor. */
function takeNumbers({ vertices, attention }: PartSight, whole: Float64Array, factor: number, out: Float64Array): void {
  for (let v = 0, to = 0; v < vertices.length; v++) {
    const weight = factor * attention[v]
    const from = ACAP_CHANNELS * vertices[v]
    for (let channel = 0; channel < ACAP_CHANNELS; channel++) out[to++] = weight * whole[from + channel]
  }
}

/** The way back: adds numbers of a part, times its attention and a factor, to those of the whole. */
function addNumbers({ vertices, attention }: PartSight, numbers: Float64Array, factor: number, whole: Floats): void {
  for (let v = 0, from = 0; v < vertices.length; v++) {
    const weight = factor * attention[v]
    const to = ACAP_CHANNELS * vertices[v]
    for (let channel = 0; channel < ACAP_CHANNELS; channel++) whole[to + channel] += weight * numbers[from++]
  }
}

function strongest(domains: readonly PartSight[], vertexCount: number): Uint32Array {
  const most = new Float32Array(vertexCount)
  const out = new Uint32Array(vertexCount)
  domains.forEach(({ vertices, attention }, domain) => {
    vertices.forEach((vertex, i) => {
      if (attention[i] <= most[vertex]) return
      most[vertex] = attention[i]
      out[vertex] = domain
    })
  })
  return out
}
