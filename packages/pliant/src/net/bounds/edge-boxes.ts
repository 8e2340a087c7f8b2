/** Boxes as bounds take them: a centre plus and minus half edges; moved, scaled, widened. */
import type { Box, EdgeBox, Vec3 } from '../../math/box.js'

const NOWHERE: Vec3 = [0, 0, 0]

/**
 * Any box in a network's coordinates: less `origin`, in units of `scale`.
 * @returns undefined if the box is none, or not finite
 */
export function edgeBoxOf(box: Box | EdgeBox, origin: Vec3 = NOWHERE, scale = 1): EdgeBox | undefined {
  const [centre, given] = 'centre' in box ? [box.centre, box.halfEdges] : edgesOf(box)
  const halfEdges = Float64Array.from(given, (edge) => edge / scale)
  const middle = Float64Array.from(origin, (from, axis) => (centre[axis] - from) / scale)
  return reachOfBox(middle, halfEdges) < Infinity ? { centre: middle, halfEdges } : undefined
}

function edgesOf({ lower, upper }: Box): [Float64Array, Float64Array] {
  const [middle, halfEdges] = [new Float64Array(3), new Float64Array(9)]
  for (let axis = 0; axis < 3; axis++) {
    middle[axis] = (lower[axis] + upper[axis]) / 2
    halfEdges[4 * axis] = lower[axis] <= upper[axis] ? (upper[axis] - lower[axis]) / 2 : Number.NaN
  }
  return [middle, halfEdges]
}

/** The box along the axes around a turned one. */
export function boxAroundEdges(box: Box | EdgeBox): Box {
  if ('lower' in box) return box
  const { centre, halfEdges } = box
  const at = (sign: number): Vec3 =>
    [0, 1, 2].map((axis) => {
      let sum = centre[axis]
      for (let i = axis; i < halfEdges.length; i += 3) sum += sign * Math.abs(halfEdges[i])
      return sum
    }) as unknown as Vec3
  return { lower: at(-1), upper: at(1) }
}

/** Largest coordinate that a box reaches; NaN if it has one that is. */
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
