/**
 * Self-collision by particle radius: vertices keep `selfDistance` from each other, or their distance at rest where that
 * is less, so that neighbours on the cloth are left alone. Candidate pairs are found once a frame by hashing vertices
 * into cells (counting sort on typed arrays, nothing allocated); each substep parts those that came too near.
 */
import type { Floats } from '../../math/floats.js'
import type { ClothSettings } from './cloth-options.js'

/** Room for candidate pairs per vertex. A pile with more keeps the first found; `dropped` counts the rest. */
const PAIRS_PER_VERTEX = 32

/** Candidates are searched up to this multiple of the distance: layers may close in by as much within a frame. */
const SEARCH = 2

/** Half of the 27 cells around a cell, so that each pair of cells is met once; the cell itself is treated apart. */
const HALF_STENCIL = [
  [1, 0, 0],
  [-1, 1, 0],
  [0, 1, 0],
  [1, 1, 0],
  [-1, -1, 1],
  [0, -1, 1],
  [1, -1, 1],
  [-1, 0, 1],
  [0, 0, 1],
  [1, 0, 1],
  [-1, 1, 1],
  [0, 1, 1],
  [1, 1, 1],
].flat()

export class SelfContacts {
  /** Candidate pairs of this frame. */
  count = 0
  /** Pairs that found no room this frame. */
  dropped = 0

  private readonly rest: Floats
  private readonly inverseMasses: Float64Array
  private readonly settings: ClothSettings
  private readonly cells: Int32Array
  private readonly buckets: Int32Array
  private readonly starts: Int32Array
  private readonly sorted: Int32Array
  private readonly pairs: Int32Array
  private readonly limits: Float64Array

  constructor(rest: Floats, inverseMasses: Float64Array, settings: ClothSettings) {
    const vertexCount = settings.selfDistance > 0 ? inverseMasses.length : 0
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(2 * vertexCount, 2)))
    this.rest = rest
    this.inverseMasses = inverseMasses
    this.settings = settings
    this.cells = new Int32Array(3 * vertexCount)
    this.buckets = new Int32Array(vertexCount)
    this.starts = new Int32Array(buckets + 1)
    this.sorted = new Int32Array(vertexCount)
    this.pairs = new Int32Array(2 * PAIRS_PER_VERTEX * vertexCount)
    this.limits = new Float64Array(PAIRS_PER_VERTEX * vertexCount)
  }

  gather(x: Float64Array): void {
    this.count = 0
    this.dropped = 0
    if (this.sorted.length === 0) return
    this.sort(x)
    for (let i = 0; i < this.buckets.length; i++) {
      const cx = this.cells[3 * i]
      const cy = this.cells[3 * i + 1]
      const cz = this.cells[3 * i + 2]
      this.meet(x, i, cx, cy, cz, true)
      for (let s = 0; s < HALF_STENCIL.length; s += 3) {
        this.meet(x, i, cx + HALF_STENCIL[s], cy + HALF_STENCIL[s + 1], cz + HALF_STENCIL[s + 2], false)
      }
    }
  }

  /** Parts pairs that are too near and rubs them against each other; momentum is kept. */
  solve(x: Float64Array, previous: Float64Array): void {
    const { pairs, limits, inverseMasses, count } = this
    const { selfFriction } = this.settings
    for (let k = 0; k < count; k++) {
      const a = pairs[2 * k]
      const b = pairs[2 * k + 1]
      const dx = x[b] - x[a]
      const dy = x[b + 1] - x[a + 1]
      const dz = x[b + 2] - x[a + 2]
      const squared = dx * dx + dy * dy + dz * dz
      const limit = limits[k]
      if (squared >= limit * limit || squared === 0) continue
      const wa = inverseMasses[a / 3]
      const wb = inverseMasses[b / 3]
      if (wa + wb === 0) continue
      const distance = Math.sqrt(squared)
      const nx = dx / distance
      const ny = dy / distance
      const nz = dz / distance
      const depth = limit - distance
      let rx = dx - (previous[b] - previous[a])
      let ry = dy - (previous[b + 1] - previous[a + 1])
      let rz = dz - (previous[b + 2] - previous[a + 2])
      const rn = rx * nx + ry * ny + rz * nz
      // What was too near before the substep parts without gaining speed; see body-contacts.ts.
      const old = Math.min(depth, Math.max(0, depth + rn))
      rx -= rn * nx
      ry -= rn * ny
      rz -= rn * nz
      const slide = Math.sqrt(rx * rx + ry * ry + rz * rz)
      const hold = selfFriction * (depth - old)
      const rub = slide <= hold ? 1 : hold / slide
      const toA = wa / (wa + wb)
      const toB = wb / (wa + wb)
      x[a] += toA * (rub * rx - depth * nx)
      x[a + 1] += toA * (rub * ry - depth * ny)
      x[a + 2] += toA * (rub * rz - depth * nz)
      x[b] -= toB * (rub * rx - depth * nx)
      x[b + 1] -= toB * (rub * ry - depth * ny)
      x[b + 2] -= toB * (rub * rz - depth * nz)
      previous[a] -= toA * old * nx
      previous[a + 1] -= toA * old * ny
      previous[a + 2] -= toA * old * nz
      previous[b] += toB * old * nx
      previous[b + 1] += toB * old * ny
      previous[b + 2] += toB * old * nz
    }
  }

  /** Vertices in order of their bucket; ties in order of number, so that runs repeat. */
  private sort(x: Float64Array): void {
    const { cells, buckets, starts, sorted } = this
    const size = 1 / (SEARCH * this.settings.selfDistance)
    starts.fill(0)
    for (let i = 0; i < buckets.length; i++) {
      for (let axis = 0; axis < 3; axis++) cells[3 * i + axis] = Math.floor(x[3 * i + axis] * size)
      buckets[i] = this.bucketOf(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2])
      starts[buckets[i] + 1]++
    }
    for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket] += starts[bucket - 1]
    for (let i = buckets.length - 1; i >= 0; i--) sorted[--starts[buckets[i] + 1]] = i
    // Each start moved down to its own bucket's begin, one place up: bring them back into line.
    for (let bucket = 0; bucket + 1 < starts.length; bucket++) starts[bucket] = starts[bucket + 1]
    starts[starts.length - 1] = buckets.length
  }

  private bucketOf(cx: number, cy: number, cz: number): number {
    let hash = Math.imul(cx, 0x9e3779b1) ^ Math.imul(cy, 0x85ebca6b) ^ Math.imul(cz, 0xc2b2ae35)
    hash ^= hash >>> 15
    return hash & (this.starts.length - 2)
  }

  /** Pairs of vertex i with those of one cell. @param own  whether it is i's own cell: then only higher numbers */
  private meet(x: Float64Array, i: number, cx: number, cy: number, cz: number, own: boolean): void {
    const { cells, starts, sorted, rest, pairs, limits } = this
    const bucket = this.bucketOf(cx, cy, cz)
    const distance = this.settings.selfDistance
    const search = (SEARCH * distance) ** 2
    for (let s = starts[bucket]; s < starts[bucket + 1]; s++) {
      const j = sorted[s]
      if (own && j <= i) continue
      // Other cells share the bucket.
      if (cells[3 * j] !== cx || cells[3 * j + 1] !== cy || cells[3 * j + 2] !== cz) continue
      const a = 3 * i
      const b = 3 * j
      if ((x[b] - x[a]) ** 2 + (x[b + 1] - x[a + 1]) ** 2 + (x[b + 2] - x[a + 2]) ** 2 > search) continue
      if (this.count === limits.length) {
        this.dropped++
        continue
      }
      const apart = Math.sqrt(
        (rest[b] - rest[a]) ** 2 + (rest[b + 1] - rest[a + 1]) ** 2 + (rest[b + 2] - rest[a + 2]) ** 2,
      )
      pairs[2 * this.count] = a
      pairs[2 * this.count + 1] = b
      limits[this.count++] = Math.min(distance, NEIGHBOUR_SLACK * apart)
    }
  }
}

/** Neighbours may come this near to each other, as a share of their distance at rest: room for the weave to shear. */
const NEIGHBOUR_SLACK = 0.9
