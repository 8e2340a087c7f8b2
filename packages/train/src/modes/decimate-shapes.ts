/**
 * Fewer vertices for meshes of the same triangles: edges collapse into one of their ends, where that moves the first shape
 * least (quadrics of Garland and Heckbert 1997), so that all shapes keep vertices of their own. Borders stay where they are
 * but for vertices that are taken along them.
 */
import type { TriangleMesh } from 'pliant'
import { LeastFirst } from 'pliant/unstable'
import { SurfaceQuadrics } from '../tets/surface-quadrics.js'

export interface Decimated {
  /** Vertices that are left, by their old numbers, ascending. */
  vertices: Uint32Array
  /** By new numbers. */
  triangles: Uint32Array
}

/** Cosine between normals of a triangle before and after a collapse, at least. */
const TURN = 0.2
/** Long collapses cost: of their length, this share is added to the distance, so that flat places stay even. */
const LENGTH_WEIGHT = 0.02

/** @param count  vertices to come down to; more are left where no collapse leaves a proper surface */
export function decimateShapes(mesh: TriangleMesh, count: number): Decimated {
  const work = new Collapses(mesh)
  work.run(count)
  return work.result()
}

class Collapses {
  private readonly p: Float64Array
  /** Corners of each triangle; those of one that is gone are all the same. */
  private readonly corners: Uint32Array
  private readonly around: Set<number>[]
  private readonly quadrics: SurfaceQuadrics
  private readonly isGone: Uint8Array
  private left: number

  constructor({ positions, triangles }: TriangleMesh) {
    this.p = Float64Array.from(positions)
    this.corners = triangles.slice()
    this.left = positions.length / 3
    this.isGone = new Uint8Array(this.left)
    this.around = Array.from({ length: this.left }, () => new Set<number>())
    for (const [corner, vertex] of triangles.entries()) this.around[vertex].add(Math.trunc(corner / 3))
    const numbers = Uint32Array.from({ length: this.left }, (_, v) => v)
    this.quadrics = new SurfaceQuadrics({ positions: this.p, triangles }, numbers, this.left)
  }

  run(count: number): void {
    for (let before = -1; this.left > count && this.left !== before; ) {
      before = this.left
      this.pass(count)
    }
  }

  /** Each vertex once, cheapest first; costs of those whose neighbours went are looked at again. */
  private pass(count: number): void {
    const queue = new LeastFirst(2 * this.isGone.length)
    const costs = new Float64Array(this.isGone.length)
    const price = (vertex: number): void => {
      costs[vertex] = this.cheapest(vertex).cost
      if (costs[vertex] < Number.POSITIVE_INFINITY) queue.push(costs[vertex], vertex)
    }
    for (let v = 0; v < this.isGone.length; v++) if (!this.isGone[v]) price(v)
    let tries = this.isGone.length
    while (queue.size > 0 && this.left > count && tries-- > 0) {
      const vertex = queue.pop()
      if (this.isGone[vertex]) continue
      const { into, cost } = this.cheapest(vertex)
      if (into < 0) continue
      if (cost > costs[vertex]) {
        costs[vertex] = cost
        queue.push(cost, vertex)
        continue
      }
      this.collapse(vertex, into)
    }
  }

  private cheapest(vertex: number): { into: number; cost: number } {
    let best = { into: -1, cost: Number.POSITIVE_INFINITY }
    const neighbours = this.neighbours(vertex)
    const borders = [...neighbours.keys()].filter((other) => neighbours.get(other) === 1)
    for (const [other, triangles] of neighbours) {
      // A vertex of a border goes along it, where it goes on straight; two pieces of border must not meet.
      if (borders.length > 0 && (triangles !== 1 || borders.length > 2)) continue
      const cost = this.costOf(vertex, other, borders)
      if (cost < best.cost && this.isProper(vertex, other, neighbours)) best = { into: other, cost }
    }
    return best
  }

  private costOf(vertex: number, other: number, borders: readonly number[]): number {
    const { p } = this
    const [x, y, z] = [p[3 * other], p[3 * other + 1], p[3 * other + 2]]
    const length = Math.hypot(x - p[3 * vertex], y - p[3 * vertex + 1], z - p[3 * vertex + 2])
    const away = this.quadrics.distance(vertex, other, x, y, z)
    return away + LENGTH_WEIGHT * length + (borders.length > 0 ? this.borderMoves(vertex, borders) : 0)
  }

  /** How far a border comes away from a vertex that it no longer has. */
  private borderMoves(vertex: number, [a, b]: readonly number[]): number {
    const { p } = this
    if (b === undefined) return Number.POSITIVE_INFINITY
    const way = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k])
    const own = [0, 1, 2].map((k) => p[3 * vertex + k] - p[3 * a + k])
    const square = way.reduce((sum, value) => sum + value * value, 0)
    const share = square > 0 ? way.reduce((sum, value, k) => sum + value * own[k], 0) / square : 0
    return Math.hypot(...own.map((value, k) => value - share * way[k]))
  }

  /** Each neighbour with the number of triangles between. */
  private neighbours(vertex: number): Map<number, number> {
    const out = new Map<number, number>()
    for (const triangle of this.around[vertex]) {
      for (let k = 0; k < 3; k++) {
        const other = this.corners[3 * triangle + k]
        if (other !== vertex) out.set(other, (out.get(other) ?? 0) + 1)
      }
    }
    return out
  }

  /** Whether the surface stays one (no more common neighbours than common triangles), and no triangle turns over. */
  private isProper(vertex: number, other: number, neighbours: ReadonlyMap<number, number>): boolean {
    const shared = neighbours.get(other)!
    let common = 0
    for (const each of this.neighbours(other).keys()) if (neighbours.has(each)) common++
    if (common !== shared || this.around[vertex].size + this.around[other].size - 2 * shared < 3) return false
    for (const triangle of this.around[vertex]) {
      const corners = [0, 1, 2].map((k) => this.corners[3 * triangle + k])
      if (corners.includes(other)) continue
      const before = this.normal(corners)
      const after = this.normal(corners.map((corner) => (corner === vertex ? other : corner)))
      const [a, b] = [Math.hypot(...before), Math.hypot(...after)]
      const cosine = before.reduce((sum, value, k) => sum + value * after[k], 0)
      if (!(cosine > TURN * a * b)) return false
    }
    return true
  }

  private normal([a, b, c]: readonly number[]): number[] {
    const { p } = this
    const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k])
    const v = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k])
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  }

  private collapse(vertex: number, into: number): void {
    for (const triangle of this.around[vertex]) {
      const at = 3 * triangle
      const corners = this.corners.subarray(at, at + 3)
      if (corners.includes(into)) {
        for (const corner of corners) if (corner !== vertex) this.around[corner].delete(triangle)
        corners.fill(into)
        continue
      }
      corners[corners.indexOf(vertex)] = into
      this.around[into].add(triangle)
    }
    this.around[vertex].clear()
    this.quadrics.handOn(vertex, into)
    this.isGone[vertex] = 1
    this.left--
  }

  result(): Decimated {
    const vertices = Uint32Array.from(this.isGone.keys()).filter((v) => this.isGone[v] === 0 && this.around[v].size > 0)
    const numbers = new Uint32Array(this.isGone.length)
    vertices.forEach((vertex, i) => {
      numbers[vertex] = i
    })
    const kept: number[] = []
    for (let at = 0; at < this.corners.length; at += 3) {
      const [a, b, c] = this.corners.subarray(at, at + 3)
      if (a !== b) kept.push(numbers[a], numbers[b], numbers[c])
    }
    return { vertices, triangles: Uint32Array.from(kept) }
  }
}

/** The vertices that are left of a shape. */
export function takeVertices(shape: ArrayLike<number>, vertices: Uint32Array): Float32Array {
  return Float32Array.from({ length: 3 * vertices.length }, (_, i) => shape[3 * vertices[Math.trunc(i / 3)] + (i % 3)])
}
