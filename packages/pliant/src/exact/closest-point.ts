/**
 * Nearest triangle to a point: depth first, nearer child first, on the flat tree. About three times as fast as the
 * callbacks of three-mesh-bvh's `closestPointToPoint` (bench/src/suites/exact measures both in one run). What
 * `wasm/nearest-kernel.ts` finds for many points is the same.
 */
import { CLOSEST_SIZE, closestOnTriangle } from './point-triangle.js'
import { MAX_TREE_DEPTH, SEARCH_SLACK, type TriangleTree } from './triangle-tree.js'

/** Which of several triangles at the same distance is told. */
export type Ties = 'slot' | 'search'

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

  /**
   * @param ties  which of several triangles at the same distance is told: that in the lowest `slot`, which a scan over all
   *   of them finds, whatever the order of a search; or the one that this `search` comes to first
   */
  constructor(
    private readonly tree: TriangleTree,
    private readonly ties: Ties = 'slot',
  ) {}

  /**
   * @param limitSquared  triangles this far or further are not looked for [m^2]
   * @param skipped       1 for each slot that does not count
   */
  find(px: number, py: number, pz: number, limitSquared = Infinity, skipped?: Uint8Array): void {
    const { bounds, right, first, end, corners } = this.tree
    const { stack, stackSquared, candidate } = this
    let best = limitSquared
    const bySlot = this.ties === 'slot'
    let reach = this.reachOf(best)
    this.slot = -1
    this.squared = best
    if (!Number.isFinite(px + py + pz)) return
    let depth = 0
    stack[depth] = 0
    stackSquared[depth++] = 0
    while (depth > 0) {
      let node = stack[--depth]
      if (!(stackSquared[depth] < reach)) continue
      let r = right[node]
      while (r !== 0) {
        const left = node + 1
        const nearLeft = squaredToBox(bounds, 6 * left, px, py, pz)
        const nearRight = squaredToBox(bounds, 6 * r, px, py, pz)
        const leftFirst = nearLeft <= nearRight
        const far = leftFirst ? nearRight : nearLeft
        if (far < reach) {
          stack[depth] = leftFirst ? r : left
          stackSquared[depth++] = far
        }
        if (!((leftFirst ? nearLeft : nearRight) < reach)) {
          node = -1
          break
        }
        node = leftFirst ? left : r
        r = right[node]
      }
      if (node < 0) continue
      for (let slot = first[node]; slot < end[node]; slot++) {
        const squared = closestOnTriangle(corners, 9 * slot, px, py, pz, candidate)
        if (!(squared < best || (bySlot && squared === best && slot < this.slot)) || skipped?.[slot] === 1) continue
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

  /** Squared distance below which boxes are still looked into: for ties by slot, more than any rounding can do to a tie. */
  private reachOf(squared: number): number {
    if (this.ties === 'search') return squared
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
