/**
 * The segment by which points choose a part (pliant's bone-choice.ts): along the longest direction of its own surface.
 *
 * A part that is not among the few that a point asks cannot answer it, however well it is trained: those are the largest
 * errors of a character. Segments from joint to joint with the mean distance as radius lie across a broad chest, and left
 * out the part that owns the nearest surface at 2.3% of the points near a soldier and 2.8% near a knight; these leave out
 * 1.0 and 1.1% (docs/notes/character.md).
 */
import type { Vec3 } from 'pliant'
import type { BoneFrame } from 'pliant/unstable'
import { symmetricEigen } from '../../modes/symmetric-eigen.js'
import { distancesFrom } from './bone-boxes.js'

/** Share of a part's surface that lies within its radius: the far corners of a broad part must find it, too. */
const WITHIN = 0.75

/** Components of a unit vector that differ by less are equally long. */
const TIE = 1e-6

/** @param points of the part's surface, in its joint's frame [m] */
export function segmentOf(points: readonly Vec3[]): Pick<BoneFrame, 'start' | 'end' | 'radius'> {
  const centre = [0, 1, 2].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length)
  const spread = new Float64Array(9)
  for (const p of points) {
    for (let i = 0; i < 9; i++) {
      const [a, b] = [Math.floor(i / 3), i % 3]
      spread[i] += ((p[a] - centre[a]) * (p[b] - centre[b])) / points.length
    }
  }
  const { values, vectors } = symmetricEigen(spread, 3)
  const reach = Array.from(values, (value) => Math.sqrt(Math.max(0, value)))
  // A ball has no direction; a rod's segment ends where its round ends begin.
  const half = Math.max(0, Math.sqrt(3) * (reach[2] - Math.hypot(reach[0], reach[1]) / Math.SQRT2))
  const along = vectors.subarray(6, 9)
  // An eigenvector's sign is anyone's: towards its longest component's axis, so that the same part has the same segment.
  const longest = along.reduce((most, value, axis) => (Math.abs(value) > Math.abs(along[most]) + TIE ? axis : most), 0)
  const way = half * Math.sign(along[longest])
  const end = (share: number): Vec3 => {
    const [x, y, z] = centre.map((place, axis) => place + share * way * along[axis])
    return [x, y, z]
  }
  const [first, last] = [end(-1), end(1)]
  const distances = distancesFrom(points, first, last).sort()
  return { start: first, end: last, radius: distances[Math.floor(WITHIN * (distances.length - 1))] }
}
