/**
 * The collision detector of Tan et al. as a field over codes: a distance to the nearest shape that touches itself, and beside
 * it how deep each domain of the shape is in the rest of it. Outside the box of codes that was trained the answer is that at
 * the nearest code of the box.
 */
import type { Floats } from '../math/floats.js'
import { requireNumbers } from '../math/require.js'
import type { CollisionDetector } from '../net/collision-state/collision-detector.js'

/** How deep domains of a shape are in the rest of it, by its code. */
export class DomainDepths {
  /** Length of a code. */
  readonly codeSize: number
  /** How many domains there are. */
  readonly domainCount: number
  readonly #network: CollisionDetector
  readonly #at: Float64Array

  /**
   * Made by whoever makes the field.
   * @param bounds  box of codes that was trained
   * @internal
   */
  constructor(
    network: CollisionDetector,
    /** Box of codes that was trained. */
    readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array },
  ) {
    this.#network = network
    this.codeSize = network.shape.codeSize
    this.domainCount = network.shape.domains.length
    this.#at = new Float64Array(this.codeSize)
  }

  /**
   * How deep each domain is in the rest of the shape [m], summed over the triangles that meet: about zero where it is free.
   * @param code  as many numbers as a code has
   * @param out   receives one number for each domain
   * @throws RangeError if the code is of another length or not finite
   */
  query(code: ArrayLike<number>, out: Floats): void {
    this.#network.queryDepths(this.#inside(code), out)
    for (let i = 0; i < this.domainCount; i++) out[i] *= this.#network.shape.metres
  }

  /**
   * The same as distances in the space of codes, about, with their gradients: negative where a domain touches. Constraints of
   * `handleCode` of pliant/respond, one for each domain.
   * @param code       as many numbers as a code has
   * @param distances  receives one number for each domain, in the unit of the code
   * @param gradients  receives their gradients by the code, one after the other
   */
  queryDomains(code: ArrayLike<number>, distances: Float64Array, gradients: Float64Array): void {
    const { limit, perDepth } = this.#network.shape
    this.#network.queryDepths(this.#inside(code), distances, gradients)
    for (let i = 0; i < this.domainCount; i++) distances[i] = perDepth * (limit - distances[i])
    for (let i = 0; i < this.domainCount * this.codeSize; i++) gradients[i] *= -perDepth
  }

  #inside(code: ArrayLike<number>): Float64Array {
    requireNumbers('depths', code, 'code value', this.codeSize)
    const { lower, upper } = this.bounds
    for (let k = 0; k < this.codeSize; k++) this.#at[k] = Math.min(Math.max(code[k], lower[k]), upper[k])
    return this.#at
  }
}
