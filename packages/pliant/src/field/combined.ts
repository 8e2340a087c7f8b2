/**
 * Fields joined, cut and taken from each other: the least or the largest of their distances (union, intersection,
 * difference). The sign is exact. Magnitudes are those of the nearer surface, so that on one side of each operation
 * (inside a union, outside an intersection) the true distance may be larger: the answer never overestimates it there.
 */
import type { Box } from '../math/box.js'
import { requireQuery } from '../math/require.js'
import type { SignedField } from './signed-field.js'

/** The union of fields: inside where any of them is. */
export function fieldUnion(...fields: SignedField[]): SignedField {
  return combined('union', fields, (a, b) => b < a, 1)
}

/** The intersection of fields: inside where all of them are. */
export function fieldIntersection(...fields: SignedField[]): SignedField {
  return combined('intersection', fields, (a, b) => b > a, 1)
}

/** The first field without the others: inside the first and in none of the others. */
export function fieldDifference(field: SignedField, ...taken: SignedField[]): SignedField {
  return combined('difference', [field, ...taken], (a, b) => b > a, -1)
}

/**
 * @param replaces  whether the distance b takes the place of a
 * @param sign      of all fields but the first
 */
function combined(
  what: string,
  fields: readonly SignedField[],
  replaces: (a: number, b: number) => boolean,
  sign: 1 | -1,
): SignedField {
  if (fields.length === 0) throw new RangeError(`field ${what}: there is no field; give one at least.`)
  let own = new Float64Array(0)
  let ownGradients = new Float64Array(0)
  return {
    query(points, count, distances, gradients) {
      requireQuery(points, count, distances, gradients)
      if (own.length < count) {
        own = new Float64Array(count)
        ownGradients = new Float64Array(3 * count)
      }
      fields[0].query(points, count, distances, gradients)
      for (let f = 1; f < fields.length; f++) {
        fields[f].query(points, count, own, gradients && ownGradients)
        for (let i = 0; i < count; i++) {
          const distance = sign * own[i]
          if (!replaces(distances[i], distance)) continue
          distances[i] = distance
          if (!gradients) continue
          for (let axis = 3 * i; axis < 3 * i + 3; axis++) gradients[axis] = sign * ownGradients[axis]
        }
      }
    },
    bounds(box: Box) {
      let range: readonly [number, number] | undefined
      for (const [f, field] of fields.entries()) {
        const own = field.bounds(box)
        if (!own) return undefined
        const [low, high] = f > 0 && sign < 0 ? [-own[1], -own[0]] : own
        range = range
          ? [replaces(range[0], low) ? low : range[0], replaces(range[1], high) ? high : range[1]]
          : [low, high]
      }
      return range
    },
  }
}
