/**
 * Fields joined, cut and taken from each other: the least or the largest of their distances (union, intersection,
 * difference). The sign is exact. Magnitudes are those of the nearer surface, so that on one side of each operation
 * (inside a union, outside an intersection) the true distance may be larger: the answer never overestimates it there.
 */
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireGradientQuery, requireQuery } from '../math/require.js'
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
  let distances = new Float64Array(0)
  let gradients = new Float64Array(0)
  const query = (points: Floats, count: number, outDistances: Floats, outGradients: Floats | undefined): void => {
    if (distances.length < count) {
      distances = new Float64Array(count)
      gradients = new Float64Array(3 * count)
    }
    fields.forEach((field, f) => {
      const to = f === 0 ? outDistances : distances
      if (!outGradients) field.evaluate(points, count, to)
      else field.gradient(points, count, to, f === 0 ? outGradients : gradients)
      if (f === 0) return
      for (let i = 0; i < count; i++) {
        const distance = sign * distances[i]
        if (!replaces(outDistances[i], distance)) continue
        outDistances[i] = distance
        if (!outGradients) continue
        for (let axis = 3 * i; axis < 3 * i + 3; axis++) outGradients[axis] = sign * gradients[axis]
      }
    })
  }
  return {
    evaluate(points, count, out) {
      requireQuery(points, count, out)
      query(points, count, out, undefined)
    },
    gradient(points, count, outDistances, outGradients) {
      requireGradientQuery(points, count, outDistances, outGradients)
      query(points, count, outDistances, outGradients)
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
