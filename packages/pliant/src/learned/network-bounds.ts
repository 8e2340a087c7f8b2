/** What a learned field promises of a box: what its network does, in metres. */
import type { Box, Vec3 } from '../math/box.js'
import type { Network } from '../net/network.js'

/** A digit more than rounding to single precision takes from an answer, relatively: callers may want answers in it. */
const SINGLE = 2 ** -23

const NOWHERE: Vec3 = [0, 0, 0]

/**
 * @param origin  from where the network counts points [m]
 * @param scale   its unit [m]
 * @returns undefined if the network has no bounds, or the box is none
 */
export function networkBounds(
  network: Pick<Network, 'bounds'>,
  { lower, upper }: Box,
  origin: Vec3 = NOWHERE,
  scale = 1,
): readonly [number, number] | undefined {
  const [middle, halfEdges] = [new Float64Array(3), new Float64Array(9)]
  for (let axis = 0; axis < 3; axis++) {
    if (!(lower[axis] <= upper[axis])) return undefined
    middle[axis] = ((lower[axis] + upper[axis]) / 2 - origin[axis]) / scale
    halfEdges[4 * axis] = (upper[axis] - lower[axis]) / 2 / scale
  }
  const range = network.bounds?.(middle, halfEdges)
  return range && inSingle(range[0] * scale, range[1] * scale)
}

/** Bounds that hold in single precision, too. */
export function inSingle(low: number, high: number): readonly [number, number] {
  return [low - SINGLE * Math.abs(low), high + SINGLE * Math.abs(high)]
}
