/**
 * A trained network as a field: takes metres, answers metres. Points outside the trained domain never reach the
 * network: there the field is the truncation distance plus the distance to the domain's box, which the training poses
 * keep clear of the surface by that much.
 */

import { answerNotFinite } from '../field/not-finite.js'
import type { CodeState } from '../field/signed-field.js'
import type { Box, EdgeBox, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireQuery, requireState } from '../math/require.js'
import type { Network } from '../net/network.js'
import { CheckedCode } from './checked-code.js'
import type { OwnError } from './own-error.js'
import type { TrainedField } from './trained-field.js'

/** Points per call of the network: large enough to hide the call, small enough to stay in cache. */
const CHUNK = 2048

/** The units a network was trained in, and where its answers hold. */
export interface NeuralFrame {
  /** Name of the object. */
  name: string
  /** The object's reduced coordinates, in their own units. */
  code: {
    size: number
    /** Range that was trained. */
    lower: number[]
    upper: number[]
  }
  /** From metres and codes to the numbers that the network sees. */
  normalisation: {
    /** normalised point = (point - centre) / scale; metres = normalised distance * scale. */
    centre: Vec3
    scale: number
    /** normalised code = (code - codeOffset) * codeScale. */
    codeOffset: number[]
    codeScale: number[]
  }
  /** Where the network answers [m]; outside, the field is `truncation` plus the distance to this box. */
  domain: Box
  /** Distances are learned up to this magnitude [m]; beyond it only sign and "at least about this far" hold. */
  truncation: number
}

export class NeuralField implements TrainedField {
  readonly codeSize: number
  readonly frame: NeuralFrame
  readonly network: Network
  protected readonly current: CheckedCode
  protected ownError: OwnError | undefined
  readonly #normalised: Float64Array
  readonly #inside = new Int32Array(CHUNK)
  readonly #points = new Float32Array(3 * CHUNK)
  readonly #values = new Float32Array(CHUNK)
  readonly #gradients = new Float32Array(3 * CHUNK)

  /**
   * A field at the code in the middle of its range; `update` sets another.
   * @param ownErrorAt  makes what tells the field's own error, given the code that it will have
   */
  constructor(frame: NeuralFrame, network: Network, ownErrorAt?: (code: Float64Array) => OwnError) {
    this.frame = frame
    this.network = network
    this.codeSize = frame.code.size
    this.current = new CheckedCode(frame.name, frame.code.size)
    this.#normalised = new Float64Array(this.codeSize)
    this.ownError = ownErrorAt?.(this.current.values)
    this.takeCode(frame.code.lower.map((lower, i) => (lower + frame.code.upper[i]) / 2))
  }

  /** @throws RangeError if the code has another length or is not finite */
  update(state: CodeState): void {
    requireState('update', state, 'code')
    this.takeCode(state.code)
  }

  protected takeCode(code: ArrayLike<number>): void {
    this.current.set(code)
    this.ownError?.forget()
    const { codeOffset, codeScale } = this.frame.normalisation
    for (let i = 0; i < this.codeSize; i++) this.#normalised[i] = (code[i] - codeOffset[i]) * codeScale[i]
    this.network.pose(this.#normalised)
  }

  get probeError(): number {
    return this.ownError?.atProbes(this) ?? Number.NaN
  }

  get expectedError(): number {
    return this.ownError?.expected(this) ?? Number.NaN
  }

  get trusted(): boolean {
    return this.ownError?.isTrusted(this) ?? false
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    const { centre, scale } = this.frame.normalisation
    for (let start = 0; start < count; start += CHUNK) {
      const end = Math.min(start + CHUNK, count)
      let inside = 0
      for (let i = start; i < end; i++) {
        if (answerNotFinite(points, i, distances, gradients)) continue
        if (this.#answerOutside(points, i, distances, gradients)) continue
        this.#inside[inside] = i
        for (let axis = 0; axis < 3; axis++) {
          this.#points[3 * inside + axis] = (points[3 * i + axis] - centre[axis]) / scale
        }
        inside++
      }
      if (inside === 0) continue
      this.network.query(this.#points, inside, this.#values, gradients && this.#gradients)
      for (let n = 0; n < inside; n++) {
        const i = this.#inside[n]
        distances[i] = this.#values[n] * scale
        if (!gradients) continue
        // d(scale f(q)) / dp = df/dq, since q = (p - centre) / scale.
        gradients[3 * i] = this.#gradients[3 * n]
        gradients[3 * i + 1] = this.#gradients[3 * n + 1]
        gradients[3 * i + 2] = this.#gradients[3 * n + 2]
      }
    }
  }

  /** Unless it was loaded with bounds, only of a box clear of the domain, by its distance to it. */
  bounds(box: Box): readonly [number, number] | undefined {
    if (this.network.bounds) return this.boundsOver(box)
    const { domain, truncation } = this.frame
    let nearest = 0
    let furthest = 0
    for (let axis = 0; axis < 3; axis++) {
      const gap = Math.max(domain.lower[axis] - box.upper[axis], box.lower[axis] - domain.upper[axis], 0)
      const reach = Math.max(domain.lower[axis] - box.lower[axis], box.upper[axis] - domain.upper[axis], 0)
      nearest += gap * gap
      furthest += reach * reach
    }
    if (nearest === 0) return undefined
    return [truncation + Math.sqrt(nearest), truncation + Math.sqrt(furthest)]
  }

  boundsOver(box: Box | EdgeBox): readonly [number, number] | undefined {
    return this.network.bounds?.(box, this.frame)
  }

  dispose(): void {
    this.network.dispose()
  }

  /** Fills in the answer of a point outside the domain; false if it lies inside. */
  #answerOutside(points: Floats, i: number, distances: Floats, gradients: Floats | undefined): boolean {
    const { lower, upper } = this.frame.domain
    const x = beyond(points[3 * i], lower[0], upper[0])
    const y = beyond(points[3 * i + 1], lower[1], upper[1])
    const z = beyond(points[3 * i + 2], lower[2], upper[2])
    if (x === 0 && y === 0 && z === 0) return false
    const length = Math.hypot(x, y, z)
    distances[i] = this.frame.truncation + length
    if (gradients) {
      gradients[3 * i] = x / length
      gradients[3 * i + 1] = y / length
      gradients[3 * i + 2] = z / length
    }
    return true
  }
}

/** Signed distance by which a coordinate leaves an interval. */
function beyond(value: number, lower: number, upper: number): number {
  return value < lower ? value - lower : value > upper ? value - upper : 0
}
