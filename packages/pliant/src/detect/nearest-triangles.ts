/**
 * The nearest triangle of a surface that deforms every frame, exactly: the same one that a scan of all triangles finds.
 * The paper scans (section 4.1). Here groups of patches of triangles, divided once at rest, are bounded in one pass over
 * the vertices each frame. The rest is done once a frame where a query comes near: bounds for the patches of a group,
 * for each triangle of a patch a disc in its plane, which tells most of them off before their distance is worked out.
 *
 * What is known beforehand makes the search shorter and never decides it: the distance that the network gives is the
 * first radius to look in, and if nothing lies in it, the search begins again without; the triangle of the last frame
 * is one more candidate, looked at first.
 */

import { barycentricAt } from '../exact/barycentric.js'
import { CLOSEST_SIZE, closestOnTriangle } from '../exact/point-triangle.js'
import type { Floats } from '../math/floats.js'
import { requireCount, requireFinite, requireIdRoom, requirePoints, requireRoom } from '../math/require.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { requireValidMesh } from '../mesh/validate.js'
import { type NearestResults, NO_TRIANGLE, writeNone } from './nearest-results.js'
import { dividePatches, type Patches } from './patches.js'
import { ScalarNearest } from './scalar-nearest.js'
import { CHUNK } from './wasm/nearest-layout.js'
import { nearestKernels, SimdNearest } from './wasm/simd-nearest.js'

/** How triangles are grouped for the search. */
export interface NearestTrianglesOptions {
  /** Triangles per patch at most. */
  patchSize?: number
  /** Patches per group at most; default 1.25 times the square root of their number, so that both levels take as long. */
  patchesPerGroup?: number
  /** What searches: 'auto' takes SIMD where the host has it. Answers are the same to the last bit. */
  kernel?: 'auto' | 'simd' | 'scalar'
}
/** What `NearestTriangles` takes where nothing else is said. */
export const NEAREST_TRIANGLES_DEFAULTS = { patchSize: 16, kernel: 'auto' } as const

/** What is known about the points beforehand. */
export interface NearestHints {
  /** Distance of each point [m], about, of either sign: the network's. NaN where there is none. */
  distances?: Floats
  /** How far those may be off, about [m]; where they are further off, the search takes longer, no more. */
  margin?: number
  /** A triangle of each point that may be near: that of the last frame. May be the array that receives the results. */
  triangles?: Uint32Array
}

/**
 * Which triangle of a surface that deforms is nearest to a point: by boxes round patches of triangles, which are
 * chosen once and refitted when the surface moves. A learned distance as a hint makes the search shorter. Vertices that no
 * triangle uses may be anything, so a body's nodes need not be gathered: give triangles the numbers of nodes.
 */
export class NearestTriangles {
  /** How many triangles the surface has. */
  readonly triangleCount: number
  private readonly mesh: TriangleMesh
  private readonly patches: Patches
  private readonly simd: SimdNearest | undefined
  private scalar: ScalarNearest | undefined
  /** Whether the kernels, and whether the plain code, know the surface as it is now. */
  private simdFollows = false
  private scalarFollows = false
  private positions: Floats
  private readonly corners = new Float64Array(9)
  private readonly closest = new Float64Array(CLOSEST_SIZE)

  /**
   * @param mesh  the surface at rest; patches are chosen by it, and stay
   * @throws RangeError if it has no triangles, indices out of range or positions that are not finite, or sizes are below 1;
   *   Error if SIMD is asked for and not there
   */
  constructor(mesh: TriangleMesh, options: NearestTrianglesOptions = {}) {
    requireValidMesh(mesh, 'nearest triangles')
    const { patchSize, kernel } = { ...NEAREST_TRIANGLES_DEFAULTS, ...options }
    const patchCount = mesh.triangles.length / 3 / patchSize
    const { patchesPerGroup = Math.ceil(1.25 * Math.sqrt(patchCount)) } = options
    if (!(Number.isInteger(patchSize) && patchSize >= 1 && Number.isInteger(patchesPerGroup) && patchesPerGroup >= 1)) {
      throw new RangeError(
        `nearest triangles: patchSize is ${patchSize} and patchesPerGroup ${patchesPerGroup}; choose 1 or more.`,
      )
    }
    this.mesh = { positions: mesh.positions, triangles: Uint32Array.from(mesh.triangles) }
    this.patches = dividePatches(mesh, patchSize, patchesPerGroup)
    this.triangleCount = mesh.triangles.length / 3
    this.positions = mesh.positions
    if (kernel === 'simd' || (kernel !== 'scalar' && !nearestKernels.obstacle))
      this.simd = new SimdNearest(mesh, this.patches)
    this.update(mesh.positions)
  }

  /**
   * Moves the surface.
   * @param positions  of the same vertices [m]; read until the next update, so leave them as they are till then
   * @throws RangeError if their number differs, or naming one that a triangle uses and that is not finite; `find` then
   *   refuses until an update succeeds, since positions are not copied and the old ones may be gone
   */
  update(positions: Floats): void {
    requireCount('nearest triangles', positions, 'vertex', this.mesh.positions.length / 3, 3)
    this.positions = positions
    this.scalarFollows = false
    this.simdFollows = this.simd?.follow(positions) ?? false
    if (!this.simdFollows) this.followInPlainCode()
  }

  private followInPlainCode(): ScalarNearest {
    this.scalar ??= new ScalarNearest(this.mesh, this.patches)
    if (!this.scalarFollows && !this.scalar.follow(this.positions)) {
      requireFinite('nearest triangles', this.positions, 'vertex', 3)
      throw new RangeError('nearest triangles: the surface is too large for double precision; pass it in metres.')
    }
    this.scalarFollows = true
    return this.scalar
  }

  /**
   * The nearest triangle of each point.
   * @param points   query points [m], xyz triples in the frame of the positions, at least 3 * count long
   * @param results  receives what there are arrays for; a point that is not finite gets NaN and `NO_TRIANGLE`
   * @param hints    what is known beforehand; wrong hints cost time and change nothing
   * @throws RangeError if an array is too short or of another type, or the count is no whole number
   */
  find(points: Floats, count: number, results: NearestResults, hints: NearestHints = {}): void {
    const { triangleIds, distances, closestPoints, barycentrics } = results
    if (!this.simdFollows && !this.scalarFollows) {
      throw new Error('nearest triangles: the last update was refused; update with finite positions.')
    }
    requirePoints(points, count)
    requireIdRoom(triangleIds, count)
    if (distances) requireRoom('values', distances, count, count)
    if (closestPoints) requireRoom('closest-point values', closestPoints, 3 * count, count)
    if (barycentrics) requireRoom('barycentric values', barycentrics, 3 * count, count)
    const { simd } = this
    if (simd && this.simdFollows) {
      for (let from = 0; from < count; from += CHUNK) {
        const end = Math.min(from + CHUNK, count)
        this.findChunk(simd, points, from, end, results, hints)
      }
    } else {
      for (let i = 0; i < count; i++) this.findInPlainCode(points, i, results, hints)
    }
    if (closestPoints || barycentrics) this.tellPoints(points, count, results)
  }

  private findChunk(
    simd: SimdNearest,
    points: Floats,
    from: number,
    end: number,
    results: NearestResults,
    hints: NearestHints,
  ): void {
    const { triangleIds, distances } = results
    const margin = hints.margin ?? 0
    for (let i = from; i < end; i++) {
      const reach = hints.distances ? Math.abs(hints.distances[i]) + margin : Number.NaN
      const triangle = hints.triangles ? hints.triangles[i] : NO_TRIANGLE
      simd.put(i - from, points[3 * i], points[3 * i + 1], points[3 * i + 2], reach, triangle)
    }
    simd.find(end - from)
    for (let i = from; i < end; i++) {
      const triangle = simd.triangle(i - from)
      if (triangle === NO_TRIANGLE) {
        this.findInPlainCode(points, i, results, hints)
        continue
      }
      triangleIds[i] = triangle
      if (distances) distances[i] = Math.sqrt(simd.squared(i - from))
    }
  }

  private findInPlainCode(points: Floats, i: number, results: NearestResults, hints: NearestHints): void {
    const scalar = this.followInPlainCode()
    const reach = hints.distances ? Math.abs(hints.distances[i]) + (hints.margin ?? 0) : Number.NaN
    const triangle = hints.triangles ? hints.triangles[i] : NO_TRIANGLE
    scalar.find(points[3 * i], points[3 * i + 1], points[3 * i + 2], reach, triangle)
    if (scalar.triangle === NO_TRIANGLE) {
      writeNone(results, i)
      return
    }
    results.triangleIds[i] = scalar.triangle
    if (results.distances) results.distances[i] = Math.sqrt(scalar.squared)
  }

  /** Closest points and weights, of triangles that have been found. */
  private tellPoints(
    points: Floats,
    count: number,
    { triangleIds, closestPoints, barycentrics }: NearestResults,
  ): void {
    const { closest, corners, positions } = this
    const { triangles } = this.mesh
    for (let i = 0; i < count; i++) {
      const triangle = triangleIds[i]
      if (triangle === NO_TRIANGLE) continue
      for (let k = 0; k < 3; k++) {
        const vertex = 3 * triangles[3 * triangle + k]
        corners[3 * k] = positions[vertex]
        corners[3 * k + 1] = positions[vertex + 1]
        corners[3 * k + 2] = positions[vertex + 2]
      }
      closestOnTriangle(corners, 0, points[3 * i], points[3 * i + 1], points[3 * i + 2], closest)
      if (closestPoints) {
        closestPoints[3 * i] = closest[0]
        closestPoints[3 * i + 1] = closest[1]
        closestPoints[3 * i + 2] = closest[2]
      }
      if (barycentrics) barycentricAt(corners, 0, closest, barycentrics, 3 * i)
    }
  }
}
