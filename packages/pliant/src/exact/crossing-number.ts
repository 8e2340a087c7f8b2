/**
 * Winding number of a closed surface, exactly: a ray along x from the point, plus one where it leaves through a
 * triangle and minus one where it enters. Signs of determinants are exact (robust-predicates), and a ray through an
 * edge or a corner is moved aside symbolically, by (e, e^2) in y and z with e arbitrarily small, the same way for
 * every triangle; so the count is right for any closed surface, however folded, nested or overlapping.
 */
import { orient2d, orient3d } from 'robust-predicates'
import { MAX_TREE_DEPTH, type TriangleTree } from './triangle-tree.js'

export class CrossingNumber {
  private readonly stack = new Int32Array(MAX_TREE_DEPTH + 2)

  constructor(private readonly tree: TriangleTree) {}

  /** How often the surface winds round the point; for a point on the surface, that of one of its sides. */
  at(px: number, py: number, pz: number): number {
    const { bounds: b, right, first, end, corners } = this.tree
    const { stack } = this
    // Towards the nearer end of the body: fewer boxes on the way.
    const ahead = px - b[0] > b[3] - px
    let winding = 0
    let depth = 0
    stack[depth++] = 0
    while (depth > 0) {
      const node = stack[--depth]
      const o = 6 * node
      if (py < b[o + 1] || py > b[o + 4] || pz < b[o + 2] || pz > b[o + 5]) continue
      if (ahead ? b[o + 3] < px : b[o] > px) continue
      if (right[node] !== 0) {
        stack[depth++] = right[node]
        stack[depth++] = node + 1
        continue
      }
      for (let slot = first[node]; slot < end[node]; slot++) winding += crossing(corners, 9 * slot, px, py, pz, ahead)
    }
    return winding
  }
}

/** +1, 0 or -1: how the ray from the point (towards +x if `ahead`) passes the triangle. */
export function crossing(c: Float64Array, o: number, px: number, py: number, pz: number, ahead: boolean): number {
  const ay = c[o + 1] - py
  const by = c[o + 4] - py
  const cy = c[o + 7] - py
  if ((ay > 0 && by > 0 && cy > 0) || (ay < 0 && by < 0 && cy < 0)) return 0
  const az = c[o + 2] - pz
  const bz = c[o + 5] - pz
  const cz = c[o + 8] - pz
  if ((az > 0 && bz > 0 && cz > 0) || (az < 0 && bz < 0 && cz < 0)) return 0
  const turn = turnSign(c, o, o + 3, py, pz)
  if (turn === 0 || turnSign(c, o + 3, o + 6, py, pz) !== turn || turnSign(c, o + 6, o, py, pz) !== turn) return 0
  // Seen along x the triangle covers the point; `turn` is the sign of its normal's x. Which side of its plane is it on?
  // biome-ignore format: one corner per line
  const side = orient3d(
    c[o], c[o + 1], c[o + 2],
    c[o + 3], c[o + 4], c[o + 5],
    c[o + 6], c[o + 7], c[o + 8],
    px, py, pz,
  )
  // orient3d is positive when the point lies behind the normal, where a ray towards it meets the plane.
  const meets = turn > 0 ? side > 0 : side < 0
  return meets === ahead ? (ahead ? turn : -turn) : 0
}

/** Whether the point, moved aside symbolically, lies to the left (+1) or right (-1) of the side seen along x. */
function turnSign(c: Float64Array, from: number, to: number, py: number, pz: number): number {
  // robust-predicates counts clockwise as positive.
  const turn = -orient2d(c[from + 1], c[from + 2], c[to + 1], c[to + 2], py, pz)
  if (turn !== 0) return turn > 0 ? 1 : -1
  const rise = c[to + 2] - c[from + 2]
  if (rise !== 0) return rise > 0 ? -1 : 1
  const run = c[to + 1] - c[from + 1]
  return run > 0 ? 1 : run < 0 ? -1 : 0
}
