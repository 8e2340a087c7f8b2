/**
 * Nearest triangle to a point: depth first, nearer child first, on the flat tree. About three times as fast as the
 * callbacks of three-mesh-bvh's `closestPointToPoint` (bench/src/suites/exact measures both in one run). What
 * `wasm/nearest-kernel.ts` finds for many points is the same.
 */
import { CLOSEST_SIZE, closestOnTriangle } from './point-triangle.js'
import { MAX_TREE_DEPTH, SEARCH_SLACK, type TriangleTree } from './triangle-tree.js'

/** What the last `find` came upon. */
export class ClosestPoint {
  /** Slot of the triangle in the tree, or -1 when there is none within the limit or the query point was not finite. */
  slot = -1
  /** Squared distance [m^2]. */
  squared = Infinity
  x = 0
  y = 0
  z = 0
  /** Feature of the triangle, as in `point-triangle.ts`. */
  feature = 0

  private readonly stack = new Int32Array(MAX_TREE_DEPTH + 2)
  private readonly stackSquared = new Float64Array(MAX_TREE_DEPTH + 2)
  private readonly candidate = new Float64Array(CLOSEST_SIZE)

  constructor(private readonly tree: TriangleTree) {}

  /**
   * Of several triangles at the same distance the one in the lowest slot wins: what a scan over all slots finds, whatever
   * the order of a search.
   * @param limitSquared  triangles this far or further are not looked for [m^2]
   * @param skipped       1 for each slot that does not count
   */
  find(px: number, py: number, pz: number, limitSquared = Infinity, skipped?: Uint8Array): void {
    const { bounds, right, first, end, corners } = this.tree
    const { stack, stackSquared, candidate } = this
    let best = limitSquared
    let reach = this.reachOf(best)
    this.slot = -1
    this.squared = best
    if (!Number.isFinite(px + py + pz)) return
    let depth = 0
    stack[depth] = 0
    stackSquared[depth++] = 0
    while (depth > 0) {
      let node = stack[--depth]
      if (stackSquared[depth] > reach) continue
      let r = right[node]
      while (r !== 0) {
        const left = node + 1
        const nearLeft = squaredToBox(bounds, 6 * left, px, py, pz)
        const nearRight = squaredToBox(bounds, 6 * r, px, py, pz)
        const leftFirst = nearLeft <= nearRight
        const far = leftFirst ? nearRight : nearLeft
        if (far <= reach) {
          stack[depth] = leftFirst ? r : left
          stackSquared[depth++] = far
        }
        if ((leftFirst ? nearLeft : nearRight) > reach) {
          node = -1
          break
        }
        node = leftFirst ? left : r
        r = right[node]
      }
      if (node < 0) continue
      for (let slot = first[node]; slot < end[node]; slot++) {
        const squared = closestOnTriangle(corners, 9 * slot, px, py, pz, candidate)
        if (!(squared < best || (squared === best && slot < this.slot)) || skipped?.[slot] === 1) continue
        best = squared
        reach = this.reachOf(best)
        this.slot = slot
        this.x = candidate[0]
        this.y = candidate[1]
        this.z = candidate[2]
        this.feature = candidate[3]
      }
    }
    this.squared = best
  }

  /** Squared distance of boxes that are still looked into. */
  private reachOf(squared: number): number {
    const reach = Math.sqrt(squared) * (1 + SEARCH_SLACK) + this.tree.slack
    return reach * reach
  }
}

function squaredToBox(b: Float64Array, o: number, px: number, py: number, pz: number): number {
  const dx = px < b[o] ? b[o] - px : px > b[o + 3] ? px - b[o + 3] : 0
  const dy = py < b[o + 1] ? b[o + 1] - py : py > b[o + 4] ? py - b[o + 4] : 0
  const dz = pz < b[o + 2] ? b[o + 2] - pz : pz > b[o + 5] ? pz - b[o + 5] : 0
  return dx * dx + dy * dy + dz * dz
}
