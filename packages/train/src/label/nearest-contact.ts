/**
 * The distance, in the space of codes, from a code to the boundary between free and touching ones, by exact tests: from
 * points that are known to lie on it, each slides towards the foot of the code on its tangent plane as long as that brings
 * it nearer. What is found is never too small, and too large only where every start ends in another valley.
 */
import { type BoundaryPoint, type ContactTest, findBoundaryPoint, makeBoundaryPoint } from 'pliant/unstable/exact'

/** Slides of a start at most. */
const SLIDES = 10

/** Steps of each that are labelled: a nearer contact on the way would be missed with few. */
const STEPS = 8

/** How far beyond the foot the other side is looked for, as a share of the way to it. */
const BEYOND = 1.25

/** A slide that gains less, as a share of the distance, is the last. */
const WORTHWHILE = 1e-3

/**
 * @param starts  points of the boundary with normals
 * @returns negative for a code that touches itself
 */
export function nearestContact(
  contact: ContactTest,
  code: ArrayLike<number>,
  starts: readonly Pick<BoundaryPoint, 'code' | 'normal'>[],
): number {
  const isTouching = contact.touches(code)
  const point = makeBoundaryPoint(code.length)
  let nearest = Infinity
  for (const start of starts) {
    let [at, normal] = [Float64Array.from(start.code), Float64Array.from(start.normal)]
    let distance = distanceOf(code, at)
    // Half-way to the foot where the whole way does not get nearer: the boundary bends.
    for (let slide = 0, share = 1; slide < SLIDES && share > 0.2; slide++) {
      const end = beyondFoot(contact, code, at, normal, share)
      if (contact.touches(end) === isTouching) {
        share /= 2
        continue
      }
      const found = isTouching
        ? findBoundaryPoint(contact, end, code, point, STEPS)
        : findBoundaryPoint(contact, code, end, point, STEPS)
      const next = found ? distanceOf(code, point.code) : Infinity
      if (!(next < distance)) {
        share /= 2
        continue
      }
      const gain = distance - next
      distance = next
      at = point.code.slice()
      normal = point.normal.slice()
      if (gain < WORTHWHILE * distance || normal.every((value) => value === 0)) break
    }
    nearest = Math.min(nearest, distance)
  }
  return isTouching ? -nearest : nearest
}

/** From the point a share of the way to the foot of the code on its tangent plane, then on away from the code; within the box. */
function beyondFoot(
  { bounds }: ContactTest,
  code: ArrayLike<number>,
  at: Float64Array,
  normal: Float64Array,
  share: number,
): Float64Array {
  let height = 0
  for (let k = 0; k < at.length; k++) height += (code[k] - at[k]) * normal[k]
  return at.map((value, k) => {
    const foot = code[k] - height * normal[k]
    const target = value + share * (foot - value)
    const end = code[k] + BEYOND * (target - code[k])
    return Math.min(bounds.upper[k], Math.max(bounds.lower[k], end))
  })
}

function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let squared = 0
  for (let k = 0; k < a.length; k++) squared += (a[k] - b[k]) ** 2
  return Math.sqrt(squared)
}
