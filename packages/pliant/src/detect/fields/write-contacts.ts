/** Contacts that were chosen, as a list: how `SolidPair` and `DeformingPair` tell of them. */
import { CONTACT_LIMITS, type ContactList, NO_FEATURE } from '../../field/contact.js'
import type { Candidate } from './manifold.js'

/**
 * @param chosen  with their numbers
 * @param areas   of each [m^2]
 * @param margin  taken off every separation [m]
 */
export function writeContacts(
  list: ContactList,
  chosen: readonly Candidate[],
  areas: ArrayLike<number>,
  margin: number,
): void {
  list.count = chosen.length
  chosen.forEach(({ point, normal, separation, feature, isOfA, id, limit = 'none' }, i) => {
    // The normal leads from A to B, so that A's point is ahead of B's where they overlap.
    const way = isOfA ? 1 : -1
    for (let k = 0; k < 3; k++) {
      const across = point[k] + way * separation * normal[k]
      list.pointsA[3 * i + k] = isOfA ? point[k] : across
      list.pointsB[3 * i + k] = isOfA ? across : point[k]
      list.normals[3 * i + k] = normal[k]
    }
    list.separations[i] = separation - margin
    list.areas[i] = areas[i]
    list.ids[i] = id as number
    list.limits[i] = CONTACT_LIMITS.indexOf(limit)
    list.featuresA[i] = isOfA ? feature : NO_FEATURE
    list.featuresB[i] = isOfA ? NO_FEATURE : feature
  })
}
