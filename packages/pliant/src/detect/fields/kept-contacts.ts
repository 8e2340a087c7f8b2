/**
 * What a contact was before: the point of A or B that it was found at, which is asked again in every pose, and its number.
 * So a body that rocks or slides keeps its contacts to the last digit as long as they touch, and a solver can begin with
 * their last forces; where only what is found anew is chosen from, they follow whichever is deepest.
 */
import { carryPoints, turnInto, turnOut } from './frames.js'
import { limitOf } from './limit.js'
import type { Candidate } from './manifold.js'
import type { Solid } from './solid.js'

/** Least cosine between the normals of a contact before and now: beyond it, it has gone round an edge. */
const SAME_WAY = 0.7

/** Contacts of one pair, as they were chosen last. */
export class KeptContacts {
  #kept: { own: Float64Array; normal: Candidate['normal']; feature: number; isOfA: boolean; id: number }[] = []
  #next = 0

  /**
   * Asks those points of one body in the other's field again.
   * @param isOfA    whose points
   * @param other    the other body
   * @param toOther  from the body's frame to the other's
   * @param toWorld  from the body's frame to the world
   * @param within   distance up to which they are still contacts [m]
   */
  ask(
    isOfA: boolean,
    other: Pick<Solid, 'field' | 'band'>,
    toOther: Float64Array,
    toWorld: Float64Array,
    within: number,
    out: Candidate[],
  ): void {
    const kept = this.#kept.filter((each) => each.isOfA === isOfA)
    const count = kept.length
    if (count === 0) return
    const [points, places, normals] = [0, 1, 2].map(() => new Float64Array(3 * count))
    const distances = new Float64Array(count)
    kept.forEach(({ own }, i) => {
      points.set(own, 3 * i)
    })
    carryPoints(toOther, points, count, places)
    other.field.query(places, count, distances, normals)
    turnInto(toOther, normals, count, normals)
    turnOut(toWorld, normals, count, normals)
    carryPoints(toWorld, points, count, points)
    kept.forEach(({ normal: before, feature, id }, i) => {
      const [x, y, z] = normals.subarray(3 * i, 3 * i + 3)
      const slope = Math.hypot(x, y, z)
      const size = (isOfA ? -1 : 1) * slope
      const normal: Candidate['normal'] = [x / size, y / size, z / size]
      const same = normal[0] * before[0] + normal[1] * before[1] + normal[2] * before[2]
      // So written that what is no number is left out.
      if (!(distances[i] <= within && same >= SAME_WAY)) return
      const point: Candidate['point'] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
      const limit = limitOf(distances[i], slope, other)
      out.push({ point, normal, separation: distances[i], area: 0, feature, isOfA, id, limit })
    })
  }

  /** Takes these for the next pose, and numbers those that have no number. @param toA,toB  from the world to either frame */
  keep(chosen: readonly Candidate[], toA: Float64Array, toB: Float64Array): void {
    this.#kept = chosen.map((contact) => {
      const own = Float64Array.from(contact.point)
      carryPoints(contact.isOfA ? toA : toB, own, 1, own)
      contact.id ??= this.#next++
      return { own, normal: contact.normal, feature: contact.feature, isOfA: contact.isOfA, id: contact.id }
    })
  }
}
