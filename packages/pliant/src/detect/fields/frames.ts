/** Points, vectors and boxes carried from one rigid frame to another, column-major 4x4. */
import { type Box, boxOfPoints, EVERYWHERE } from '../../math/box.js'
import { invertAffine, linearDeterminant, uniformScale } from '../../math/mat4.js'
import { requireNumbers } from '../../math/require.js'

/** @param out  may be where the points are */
export function carryPoints(frame: Float64Array, points: Float64Array, count: number, out: Float64Array): void {
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = frame
  for (let at = 0; at < 3 * count; at += 3) {
    const [px, py, pz] = [points[at], points[at + 1], points[at + 2]]
    out[at] = a * px + d * py + g * pz + x
    out[at + 1] = b * px + e * py + h * pz + y
    out[at + 2] = c * px + f * py + i * pz + z
  }
}

/** Vectors from the frame that points are carried to into the one that they come from. @param out  may be where the vectors are */
export function turnInto(frame: Float64Array, vectors: Float64Array, count: number, out: Float64Array): void {
  const [a, b, c, , d, e, f, , g, h, i] = frame
  for (let at = 0; at < 3 * count; at += 3) {
    const [x, y, z] = [vectors[at], vectors[at + 1], vectors[at + 2]]
    out[at] = a * x + b * y + c * z
    out[at + 1] = d * x + e * y + f * z
    out[at + 2] = g * x + h * y + i * z
  }
}

/** Vectors as points are carried. @param out  may be where the vectors are */
export function turnOut(frame: Float64Array, vectors: Float64Array, count: number, out: Float64Array): void {
  const [a, b, c, , d, e, f, , g, h, i] = frame
  for (let at = 0; at < 3 * count; at += 3) {
    const [x, y, z] = [vectors[at], vectors[at + 1], vectors[at + 2]]
    out[at] = a * x + d * y + g * z
    out[at + 1] = b * x + e * y + h * z
    out[at + 2] = c * x + f * y + i * z
  }
}

/** The smallest box around a box that is carried; without an end if that has none. */
export function carryBox(frame: Float64Array, { lower, upper }: Box): Box {
  const corners = Float64Array.from({ length: 24 }, (_, i) => {
    const isUpper = ((Math.trunc(i / 3) >> (i % 3)) & 1) === 1
    return (isUpper ? upper : lower)[i % 3]
  })
  if (!corners.every(Number.isFinite)) return EVERYWHERE
  carryPoints(frame, corners, 8, corners)
  return boxOfPoints(corners)
}

/** Difference of lengths up to which a pose counts as rigid. */
const RIGID = 1e-6

/**
 * Takes a pose over, and its inverse.
 * @param what  whose it is, as `collide: pose of A`
 * @throws RangeError if it is not rigid or not finite
 */
export function requireRigid(what: string, pose: ArrayLike<number>, out: Float64Array, inverse: Float64Array): void {
  requireNumbers(what, pose, 'value', 16)
  out.set(pose)
  const last = [3, 7, 11, 15].findIndex((at, column) => out[at] !== (column === 3 ? 1 : 0))
  if (last >= 0) {
    const value = out[4 * last + 3]
    throw new RangeError(`${what} has ${value} in its last row; give columns that end in 0, 0, 0 and 1.`)
  }
  const { scale, spread: uneven } = uniformScale(out)
  if (Math.abs(scale - 1) > RIGID || uneven > RIGID || !invertAffine(out, 0, inverse, 0)) {
    const fault = Math.abs(scale - 1) > RIGID ? `scales by ${scale}` : 'shears or scales its axes unevenly'
    throw new RangeError(`${what} ${fault}; give a rigid one, and a scaled field by TransformedField or placed.`)
  }
  if (linearDeterminant(out) < 0) {
    throw new RangeError(`${what} mirrors; give a rigid one, and a mirrored field by TransformedField.`)
  }
}
