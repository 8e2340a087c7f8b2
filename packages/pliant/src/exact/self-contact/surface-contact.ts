/** Where a surface in any shape runs into itself, by its parts, and how deep: neighbours are left alone. */
import type { Floats } from '../../math/floats.js'
import { SelfIntersection } from '../self-intersection.js'
import type { NeighbourRule } from './neighbour-rule.js'
import { PartDepths } from './part-depths.js'
import { type BendingShape, posedSelfContact } from './posed-self-contact.js'

/** Two parts that are in each other. */
interface MeetingParts {
  parts: [number, number]
  /** Triangles of either that meet the other's. */
  triangles: [Set<number>, Set<number>]
  /** How deep any two of these are in each other [m]. */
  depth: number
}

/** An exact test of a surface in any shape, whether a code says it or not: such as poses with fingers that no code holds. */
export class SurfaceContact {
  readonly #intersection: SelfIntersection
  readonly #rule: NeighbourRule
  /** Made when depths are first asked for: most callers never do. */
  #depths: PartDepths | undefined
  readonly #makeDepths: () => PartDepths
  #positions: Floats
  #found: MeetingParts[] = []

  /**
   * @param shape  as `characterShape` of pliant/character makes of a character
   * @throws RangeError if the surface is broken
   */
  constructor(shape: BendingShape) {
    const { rule, rest } = posedSelfContact(shape)
    this.#rule = rule
    this.#makeDepths = () => new PartDepths(rest, rule)
    this.#positions = rest.positions
    this.#intersection = new SelfIntersection(rest, { weld: true, neighbours: rule })
  }

  /** Whether any two triangles that are not neighbours have a point in common. @param positions  of all vertices [m] */
  touches(positions: Floats): boolean {
    this.#intersection.update(positions)
    return this.#intersection.any()
  }

  /**
   * The parts that are in each other.
   * @param positions  of all vertices [m]; read by `depthsOfParts` as well
   * @returns two numbers for each pair, the lower first; of a character, bones of its surface
   */
  partsInContact(positions: Floats): number[] {
    this.#intersection.update(positions)
    this.#positions = positions
    const { pairs, depths } = this.#intersection.pairs()
    const { parts, partCount } = this.#rule
    const found = new Map<number, MeetingParts>()
    for (const [i, depth] of depths.entries()) {
      const [s, t] = [pairs[2 * i], pairs[2 * i + 1]].sort((a, b) => parts[a] - parts[b])
      const key = parts[s] * partCount + parts[t]
      const met = found.get(key) ?? { parts: [parts[s], parts[t]], triangles: [new Set(), new Set()], depth: 0 }
      met.triangles[0].add(s)
      met.triangles[1].add(t)
      met.depth = Math.max(met.depth, depth)
      found.set(key, met)
    }
    this.#found = [...found.keys()].sort((a, b) => a - b).map((key) => found.get(key)!)
    return this.#found.flatMap((met) => met.parts)
  }

  /**
   * How deep the parts of each pair that was told last are in each other [m]: as deep as a vertex of either is behind the
   * other's surface, or two of their triangles are in each other; of a part in itself the latter. Positions must not have
   * changed since.
   * @returns one for each pair of `partsInContact`, in its order
   */
  depthsOfParts(): Float64Array {
    this.#depths ??= this.#makeDepths()
    const inOthers = this.#depths
    inOthers.moveTo(this.#positions)
    return Float64Array.from(this.#found, ({ parts: [a, b], triangles, depth }) => {
      if (a === b) return depth
      return Math.max(depth, inOthers.depth(triangles[0], b), inOthers.depth(triangles[1], a))
    })
  }
}
