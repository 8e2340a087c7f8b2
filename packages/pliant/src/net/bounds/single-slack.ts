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

/** A digit more than rounding to single precision changes a number by, relatively: points on their way in, answers out. */
export const SINGLE = 2 ** -23

/** Bounds that hold for answers in single precision, too. */
export function inSingle(low: number, high: number): readonly [number, number] {
  return [low - SINGLE * Math.abs(low), high + SINGLE * Math.abs(high)]
}

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
