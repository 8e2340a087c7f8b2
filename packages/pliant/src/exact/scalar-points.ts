/** Nearest triangles and winding numbers of points in plain code: what the kernels compute, and where they cannot run. */
import type { Floats } from '../math/floats.js'
import { ClosestPoint, type Ties } from './closest-point.js'
import { CrossingNumber } from './crossing-number.js'
import { ASKED, BLOCK, type PointSearch } from './point-search.js'
import type { TriangleTree } from './triangle-tree.js'

export class ScalarPoints implements PointSearch {
  readonly points = new Float64Array(3 * BLOCK)
  readonly slots = new Int32Array(BLOCK)
  readonly windings = new Int32Array(BLOCK)
  private readonly closest: ClosestPoint
  private readonly crossings: CrossingNumber

  constructor(
    private readonly tree: TriangleTree,
    ties: Ties = 'slot',
  ) {
    this.closest = new ClosestPoint(tree, ties)
    this.crossings = new CrossingNumber(tree)
  }

  get diagonal(): number {
    return this.tree.diagonal
  }

  get facesOutward(): boolean {
    return !(this.tree.volume() < 0)
  }

  refit(positions: Floats): void {
    this.tree.refit(positions)
  }

  nearest(count: number, limitSquared: number): void {
    const { points, slots } = this
    for (let i = 0; i < count; i++) {
      slots[i] = this.slotOf(points[3 * i], points[3 * i + 1], points[3 * i + 2], limitSquared)
    }
  }

  /** Of a point by itself. */
  slotOf(px: number, py: number, pz: number, limitSquared: number): number {
    this.closest.find(px, py, pz, limitSquared)
    return this.closest.slot
  }

  wind(count: number): void {
    const { points, windings } = this
    for (let i = 0; i < count; i++) {
      if (windings[i] !== ASKED) continue
      windings[i] = this.windingOf(points[3 * i], points[3 * i + 1], points[3 * i + 2])
    }
  }

  windingOf(px: number, py: number, pz: number): number {
    return this.crossings.at(px, py, pz)
  }

  fittedTree(): TriangleTree {
    return this.tree
  }
}
