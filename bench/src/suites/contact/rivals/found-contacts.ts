/** Contacts as a rival finds them, and the deepest of them as a list: what is kept to be judged and counts as its output. */
import type { ContactList } from 'pliant'

/** In the world. */
export interface FoundContact {
  /** On the body whose point was found to be deep. */
  point: readonly [number, number, number]
  /** From A to B. */
  normal: readonly [number, number, number]
  separation: number
  isOfA: boolean
}

/** As many as there is room for, the deepest first. */
export function writeDeepest(found: FoundContact[], list: ContactList): ContactList {
  found.sort((a, b) => a.separation - b.separation)
  list.count = Math.min(found.length, list.capacity)
  for (let i = 0; i < list.count; i++) {
    const { point, normal, separation, isOfA } = found[i]
    const way = isOfA ? separation : -separation
    for (let k = 0; k < 3; k++) {
      const across = point[k] + way * normal[k]
      list.pointsA[3 * i + k] = isOfA ? point[k] : across
      list.pointsB[3 * i + k] = isOfA ? across : point[k]
      list.normals[3 * i + k] = normal[k]
    }
    list.separations[i] = separation
  }
  return list
}
