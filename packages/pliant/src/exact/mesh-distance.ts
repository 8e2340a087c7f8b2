/**
 * Exact signed distance to a triangle mesh, with closest point, normal and triangle: the ground truth that everything
 * learned is judged by. Follows a mesh that deforms by refitting; it is never rebuilt.
 *
 * Sign. Inside is where the surface winds round the point: winding number above one half. That is the one rule that
 * also holds where limbs overlap or one shell lies within another; pseudonormals call a point there outside as soon as
 * the nearest sheet faces it. For a closed surface the number is counted exactly (`crossing-number.ts`), for an open or
 * wrongly wound one it is the generalised number (`winding-number.ts`). A closed surface that faces inward (negative
 * volume) is turned round, so that inside is negative; an open one is taken as it is wound.
 */
import type { MovingField, VertexState } from '../field/signed-field.js'
import { type Box, boxCentre, boxDiagonal } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireIdRoom, requireQuery, requireRoom, requireState } from '../math/require.js'
import { type EdgeTable, edgeTable, isClosed } from '../mesh/adjacency.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { requireValidMesh } from '../mesh/validate.js'
import { firstAtSamePlace } from '../mesh/weld.js'
import type { Ties } from './closest-point.js'
import { ASKED, BLOCK, NO_SLOT, type PointSearch } from './point-search.js'
import { CLOSEST_SIZE, closestOnTriangle } from './point-triangle.js'
import { Pseudonormals } from './pseudonormals.js'
import { ScalarPoints } from './scalar-points.js'
import { TriangleTree } from './triangle-tree.js'
import { pointKernels, SimdPoints } from './wasm/simd-points.js'
import { WindingNumber } from './winding-number.js'

/** How an exact field tells inside from outside, and how far it looks. */
export interface ExactMeshFieldOptions {
  /**
   * `winding`, the same as `auto`, is the rule above. `pseudonormal` takes the side of the nearest sheet: right for one
   * closed surface that does not meet itself, and up to 1.7 times as fast; on an open surface it tells its sides apart.
   */
  sign?: 'auto' | 'winding' | 'pseudonormal'
  /**
   * Where the search for the nearest triangle stops [m]: further points are answered with this distance and their right
   * sign, at a fraction of the cost, but with no direction. Not with `pseudonormal`, which needs the nearest sheet.
   */
  maxDistance?: number
  /**
   * Which of several triangles at the same distance is told, and with it the last digits of closest point and normal: that
   * of the lowest `slot` of the tree (default), by kernels; or the one that a `search` in plain code comes to first, two to
   * three times as slow: what was computed by it before there were kernels comes out the same to the last bit.
   */
  ties?: 'slot' | 'search'
}

/** Arrays that `ExactMeshField.closest` fills; leave out what you do not need. */
export interface DistanceResults {
  /** Receives signed distances [m]. */
  distances: Floats
  /** Receives unit normals, xyz triples: away from the surface outside, towards it inside. */
  normals?: Floats
  /** Receives closest surface points [m], xyz triples. */
  closestPoints?: Floats
  /** Receives the triangle that the closest point lies on. */
  triangleIds?: Uint32Array
}

/** Triangles per leaf: 1 to 8 measured within 10% of each other, 4 the fastest. */
const LEAF_SIZE = 4

/** Nearer than this part of the diagonal the way to the surface is mostly rounding: the normal is the surface's own. */
const ON_SURFACE = 1e-11

/**
 * Exact signed distance to a triangle mesh, with closest point, normal and triangle. Follows a mesh that deforms by
 * refitting its tree. Inside is where the surface winds round the point, which also holds where limbs overlap.
 */
export class ExactMeshField implements MovingField<VertexState> {
  /** Whether the surface has no boundary (equal positions joined), so that inside is exact. */
  readonly closed: boolean
  private readonly tree: TriangleTree
  private readonly search: PointSearch
  private readonly weld: Uint32Array
  /** Vertices that stand for others at their place, and those: two each. */
  private readonly welded: Uint32Array
  private readonly edges: EdgeTable
  private readonly byPseudonormal: boolean
  private readonly maxDistance: number
  private readonly closestPoint = new Float64Array(CLOSEST_SIZE)
  private readonly normal = new Float64Array(3)
  private pseudonormals: Pseudonormals | undefined
  private winding: WindingNumber | undefined
  private windingStale = false
  /** -1 for a closed surface that faces inward. */
  private orientation = 1
  /** Closed, and vertices that were welded still lie together. */
  private countable = false
  private surfaceBand = 0

  /**
   * @throws RangeError if the mesh has no triangles, indices out of range or positions that are not finite, or if
   *   `maxDistance` is not positive or does not go with the sign
   */
  constructor(mesh: TriangleMesh, options: ExactMeshFieldOptions = {}) {
    requireValidMesh(mesh)
    this.weld = firstAtSamePlace(mesh.positions)
    this.edges = edgeTable(mesh.triangles, this.weld.length, this.weld)
    this.closed = isClosed(this.edges)
    this.byPseudonormal = options.sign === 'pseudonormal'
    this.maxDistance = options.maxDistance ?? Infinity
    if (!(this.maxDistance > 0) || (this.byPseudonormal && this.maxDistance < Infinity)) {
      throw new RangeError(
        `exact field: maxDistance is ${this.maxDistance}; pass a positive one, and not with sign 'pseudonormal'.`,
      )
    }
    this.welded = weldedPairs(this.weld)
    this.tree = new TriangleTree(mesh, LEAF_SIZE)
    this.search = makeSearch(this.tree, mesh.positions, options.ties)
    this.orient(mesh.positions)
  }

  /**
   * Moves the surface: the same vertices at new positions, refitting the tree.
   * @throws RangeError if the number of positions differs, or naming one that is not finite; nothing has moved then
   */
  update(state: VertexState): void {
    requireState('update', state, 'vertices')
    this.search.refit(state.vertices)
    this.pseudonormals?.update()
    this.windingStale = true
    this.orient(state.vertices)
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    this.closest(points, count, { distances, normals: gradients })
  }

  /** A signed distance changes by no more than the way gone: the distance at the centre, give or take half the box. */
  bounds(box: Box): readonly [number, number] {
    const distance = new Float64Array(1)
    this.query(Float64Array.from(boxCentre(box)), 1, distance)
    // A hair more than half the diagonal, for the rounding of both distances.
    const half = (boxDiagonal(box) / 2) * (1 + 1e-12)
    return [distance[0] - half, distance[0] + half]
  }

  /**
   * Distances and, where arrays are given for them, normals, closest points and triangles. A point on the surface has
   * distance 0 and the angle-weighted normal of its face, edge or vertex. A point with a NaN or infinite coordinate
   * gives NaN throughout and triangle 0xffffffff; one beyond `maxDistance` normal 0, closest point NaN and that
   * triangle. Points and distances in [m].
   */
  closest(points: Floats, count: number, results: DistanceResults): void {
    const { search, maxDistance } = this
    const { distances, normals, closestPoints, triangleIds } = results
    requireQuery(points, count, distances)
    if (normals) requireRoom('normal values', normals, 3 * count, count)
    if (closestPoints) requireRoom('closest-point values', closestPoints, 3 * count, count)
    if (triangleIds) requireIdRoom(triangleIds, count)
    for (let from = 0; from < count; from += BLOCK) {
      const size = Math.min(BLOCK, count - from)
      for (let i = 0; i < 3 * size; i++) search.points[i] = points[3 * from + i]
      search.nearest(size, maxDistance * maxDistance)
      if (this.countable && !this.byPseudonormal) this.wind(size)
      for (let i = 0; i < size; i++) this.write(i, from + i, results)
    }
  }

  /** Winding numbers of a block's points, but of those that are not finite. */
  private wind(count: number): void {
    const { points, windings } = this.search
    for (let i = 0; i < count; i++) {
      windings[i] = Number.isFinite(points[3 * i] + points[3 * i + 1] + points[3 * i + 2]) ? ASKED : 0
    }
    this.search.wind(count)
  }

  /** What is found of a block's i-th point, as the results' k-th. */
  private write(i: number, k: number, { distances, normals, closestPoints, triangleIds }: DistanceResults): void {
    const { tree, maxDistance, normal, closestPoint: closest } = this
    const { points, slots } = this.search
    const px = points[3 * i]
    const py = points[3 * i + 1]
    const pz = points[3 * i + 2]
    const slot = slots[i]
    if (slot === NO_SLOT) {
      const isFar = maxDistance < Infinity && Number.isFinite(px + py + pz)
      distances[k] = isFar ? maxDistance * this.signAt(i) : Number.NaN
      normals?.fill(isFar ? 0 : Number.NaN, 3 * k, 3 * k + 3)
      closestPoints?.fill(Number.NaN, 3 * k, 3 * k + 3)
      if (triangleIds) triangleIds[k] = 0xffffffff
      return
    }
    const unsigned = Math.sqrt(closestOnTriangle(tree.corners, 9 * slot, px, py, pz, closest))
    const sign = unsigned === 0 ? 1 : this.signAt(i)
    distances[k] = sign * unsigned
    if (closestPoints) {
      closestPoints[3 * k] = closest[0]
      closestPoints[3 * k + 1] = closest[1]
      closestPoints[3 * k + 2] = closest[2]
    }
    if (triangleIds) triangleIds[k] = tree.triangleOfSlot[slot]
    if (!normals) return
    if (unsigned > this.surfaceBand) {
      const scale = sign / unsigned
      normals[3 * k] = (px - closest[0]) * scale
      normals[3 * k + 1] = (py - closest[1]) * scale
      normals[3 * k + 2] = (pz - closest[2]) * scale
    } else {
      this.surfaceNormal(slot)
      normals[3 * k] = normal[0]
      normals[3 * k + 1] = normal[1]
      normals[3 * k + 2] = normal[2]
    }
  }

  /** Of a block's i-th point; by pseudonormal, of the one whose closest point was found last. */
  private signAt(i: number): number {
    const { search, closestPoint: closest, normal } = this
    const px = search.points[3 * i]
    const py = search.points[3 * i + 1]
    const pz = search.points[3 * i + 2]
    if (this.byPseudonormal) {
      this.surfaceNormal(search.slots[i])
      const side = normal[0] * (px - closest[0]) + normal[1] * (py - closest[1]) + normal[2] * (pz - closest[2])
      return side < 0 ? -1 : 1
    }
    if (this.countable) return this.orientation * search.windings[i] > 0 ? -1 : 1
    if (!this.winding) this.winding = new WindingNumber(search.fittedTree())
    else if (this.windingStale) {
      search.fittedTree()
      this.winding.update()
    }
    this.windingStale = false
    return this.winding.inside(px, py, pz) ? -1 : 1
  }

  /** Outward normal of the feature that was found last, of the triangle in a slot, into `normal`. */
  private surfaceNormal(slot: number): void {
    this.pseudonormals ??= new Pseudonormals(this.tree, this.edges, this.weld)
    this.pseudonormals.of(slot, this.closestPoint[3], this.normal)
    if (this.orientation < 0) for (let axis = 0; axis < 3; axis++) this.normal[axis] *= -1
  }

  private orient(positions: Floats): void {
    this.surfaceBand = ON_SURFACE * this.search.diagonal
    this.orientation = this.closed && !this.search.facesOutward ? -1 : 1
    this.countable = this.closed && weldHolds(positions, this.welded)
  }
}

/** On kernels where the host runs them and has the memory. */
function makeSearch(tree: TriangleTree, positions: Floats, ties: Ties = 'slot'): PointSearch {
  if (ties === 'search') return new ScalarPoints(tree, ties)
  try {
    if (!pointKernels.obstacle) return new SimdPoints(tree, positions)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return new ScalarPoints(tree)
}

function weldedPairs(weld: Uint32Array): Uint32Array {
  return Uint32Array.from([...weld.entries()].filter(([v, w]) => v !== w).flat())
}

/** Whether vertices that were at one place still are: if not, a seam has opened. */
function weldHolds(p: Floats, welded: Uint32Array): boolean {
  for (let i = 0; i < welded.length; i += 2) {
    const v = 3 * welded[i]
    const w = 3 * welded[i + 1]
    if (p[v] !== p[w] || p[v + 1] !== p[w + 1] || p[v + 2] !== p[w + 2]) return false
  }
  return true
}
