/**
 * What single precision adds: how far a backend's answers are from those of the network in double precision, at points of
 * the cube in which networks answer, measured once per pose. A proof, by the sums of rounding errors of every layer, is a
 * thousand times what is ever seen (docs/notes/neural-bounds.md); so the largest of what is measured is taken MARGIN
 * times. Over a million boxes, answers used no more than a third of it.
 */
import { randomStream } from '../../math/random.js'

/** Points per pose. */
const POINTS = 64
const MARGIN = 10
/** Of the largest value, at least. */
const LEAST = 2 ** -21

/** Points are rounded to single precision on their way in, relatively so much at most. */
export const SINGLE = 2 ** -23

/** Values at points, xyz triples. */
export type Ask = (points: Float64Array, count: number, values: Float64Array) => void

/**
 * @param middle  of the cube
 * @param half    of its side
 * @returns what answers within the cube may be off by
 */
export function singleSlack(asked: Ask, exact: Ask, middle: ArrayLike<number>, half: number): number {
  const random = randomStream(1)
  const points = Float64Array.from({ length: 3 * POINTS }, (_, i) =>
    // As single precision has them, so that both see the same.
    Math.fround(middle[i % 3] + half * random.between(-1, 1)),
  )
  const [seen, right] = [new Float64Array(POINTS), new Float64Array(POINTS)]
  asked(points, POINTS, seen)
  exact(points, POINTS, right)
  let [most, largest] = [0, 0]
  for (let i = 0; i < POINTS; i++) {
    most = Math.max(most, Math.abs(seen[i] - right[i]))
    largest = Math.max(largest, Math.abs(right[i]))
  }
  return MARGIN * most + LEAST * largest
}

/** Largest coordinate that a box reaches. */
export function reachOfBox(centre: ArrayLike<number>, halfEdges: ArrayLike<number>): number {
  let reach = 0
  for (let axis = 0; axis < 3; axis++) {
    let size = Math.abs(centre[axis])
    for (let at = axis; at < halfEdges.length; at += 3) size += Math.abs(halfEdges[at])
    // Written so that NaN stays.
    if (!(size <= reach)) reach = size
  }
  return reach
}

/** Half edges of a box that holds this one and all within `by` of it, coordinate by coordinate. */
export function widened(halfEdges: ArrayLike<number>, by: number): Float64Array {
  const isStraight = halfEdges.length === 9 && [1, 2, 3, 5, 6, 7].every((i) => halfEdges[i] === 0)
  const rows = new Float64Array(isStraight ? 9 : halfEdges.length + 9)
  rows.set(halfEdges)
  for (let at = rows.length - 9; at < rows.length; at += 4) rows[at] = Math.abs(rows[at]) + by
  return rows
}
