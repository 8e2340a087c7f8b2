/** Where a surface in any shape runs into itself, by its parts: neighbours are left alone. */
import type { Floats } from '../../math/floats.js'
import { SelfIntersection } from '../self-intersection.js'
import type { NeighbourRule } from './neighbour-rule.js'
import { type BendingShape, posedSelfContact } from './posed-self-contact.js'

/** An exact test of a surface in any shape, whether a code says it or not: such as poses with fingers that no code holds. */
export class SurfaceContact {
  readonly #intersection: SelfIntersection
  readonly #rule: NeighbourRule

  /**
   * @param shape  as `characterShape` of pliant/character makes of a character
   * @throws RangeError if the surface is broken
   */
  constructor(shape: BendingShape) {
    const { rule, rest } = posedSelfContact(shape)
    this.#rule = rule
    this.#intersection = new SelfIntersection(rest, { weld: true, neighbours: rule })
  }

  /** Whether any two triangles that are not neighbours have a point in common. @param positions  of all vertices [m] */
  touches(positions: Floats): boolean {
    this.#intersection.update(positions)
    return this.#intersection.any()
  }

  /**
   * The parts that are in each other.
   * @param positions  of all vertices [m]
   * @returns two numbers for each pair, the lower first; of a character, bones of its surface
   */
  partsInContact(positions: Floats): number[] {
    this.#intersection.update(positions)
    const { pairs } = this.#intersection.pairs()
    const { parts, partCount } = this.#rule
    const found = new Set<number>()
    for (let i = 0; i < pairs.length; i += 2) {
      const [a, b] = [parts[pairs[i]], parts[pairs[i + 1]]]
      found.add(Math.min(a, b) * partCount + Math.max(a, b))
    }
    return [...found].sort((a, b) => a - b).flatMap((key) => [Math.floor(key / partCount), key % partCount])
  }
}
