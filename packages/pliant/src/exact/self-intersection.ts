/**
 * Where a surface meets itself: pairs of triangles that share no vertex and have a point in common (touching counts;
 * exact, see `triangle-triangle.ts`). Yes or no with an early end, or all pairs with FCL's penetration depth: the
 * deepest vertex of each triangle below the other's plane, and the smaller depth of the two. A tree is searched against
 * itself; it is refitted, never rebuilt, when the mesh deforms. A rule may leave pairs alone.
 */
import type { Floats } from '../math/floats.js'
import type { Progress } from '../math/progress.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { requireValidMesh } from '../mesh/validate.js'
import { firstAtSamePlace } from '../mesh/weld.js'
import type { PairRule } from './self-pairs/pair-rule.js'
import type { PairSearch } from './self-pairs/pair-search.js'
import { ScalarPairs } from './self-pairs/scalar-pairs.js'
import { pairKernels, SimdPairs } from './self-pairs/wasm/simd-pairs.js'
import { trianglesMeet } from './triangle-triangle.js'

export type { PairRule } from './self-pairs/pair-rule.js'

/** What counts as sharing a vertex, and how pairs are looked for. */
export interface SelfIntersectionOptions {
  /**
   * Also leave out pairs with corners at equal positions when made (texture seams, STL), which touch by construction.
   * Off by default: then only equal vertex numbers count as shared.
   */
  weld?: boolean
  /** Pairs that are left alone though they meet. None by default. */
  neighbours?: PairRule
  /** What searches for pairs: 'auto' takes SIMD where the host has it. The pairs are the same. */
  kernel?: 'auto' | 'simd' | 'scalar'
}

/** How to look for pairs. */
export interface PairsOptions {
  /**
   * The search ends once it has found so many: there can be half the square of the triangles. Which ones those are depends
   * on the kernel.
   */
  limit?: number
  /** Told now and then how much has been settled. */
  onProgress?: (progress: Progress) => void
}
export const PAIRS_DEFAULTS = { limit: 1_000_000 } as const

/** The pairs of triangles in which a surface meets itself. */
export interface IntersectingPairs {
  /** Triangle numbers, two per pair, the lower first; pairs in rising order. Those found first if there are too many. */
  pairs: Uint32Array
  /** Penetration depth of each of these pairs [m]. */
  depths: Float64Array
  /** Whether the search ended before it had found all. */
  truncated: boolean
}

/** Where a surface meets itself: pairs of triangles that share no vertex and have a point in common, exactly. */
export class SelfIntersection {
  private readonly search: PairSearch
  private readonly triangleCount: number
  private readonly corners = new Float64Array(18)
  /** The pair that last made `any` say yes; equal before that. */
  private witness: [number, number] = [0, 0]

  /**
   * @throws RangeError if the mesh has no triangles, indices out of range or positions that are not finite
   * @throws Error if `kernel` is 'simd' and the host has none
   */
  constructor(mesh: TriangleMesh, { weld = false, neighbours, kernel = 'auto' }: SelfIntersectionOptions = {}) {
    requireValidMesh(mesh)
    this.triangleCount = mesh.triangles.length / 3
    const shared = weld ? firstAtSamePlace(mesh.positions) : undefined
    const isSimd = kernel === 'simd' || (kernel === 'auto' && !pairKernels.obstacle)
    this.search = isSimd ? new SimdPairs(mesh, neighbours, shared) : new ScalarPairs(mesh, neighbours, shared)
  }

  /**
   * Moves the surface: the same vertices at new positions [m].
   * @throws RangeError if the number of positions differs or one is not finite
   */
  update(positions: Floats): void {
    this.search.moveTo(positions)
  }

  /** Whether any two triangles that share no vertex have a point in common. */
  any(): boolean {
    const [s, t] = this.witness
    // Shapes that come one after another tend to meet in the same place: then this pair says so at once.
    if (s !== t && trianglesMeet(this.cornersOf(s, t), 0, this.corners, 9)) return true
    let met = false
    this.search.search((a, b) => {
      this.witness = [a, b]
      met = true
      return false
    })
    return met
  }

  /** All of them, or the first that are found. */
  pairs({ limit = PAIRS_DEFAULTS.limit, onProgress }: PairsOptions = {}): IntersectingPairs {
    const faces = this.triangleCount
    // One number per pair, so that sorting needs no comparison function: below 2^53 for 90 million triangles.
    const found: number[] = []
    let truncated = false
    this.search.search((a, b) => {
      truncated = found.length === limit
      if (!truncated) found.push(Math.min(a, b) * faces + Math.max(a, b))
      return !truncated
    }, onProgress)
    const keys = Float64Array.from(found).sort()
    const pairs = new Uint32Array(2 * keys.length)
    const depths = new Float64Array(keys.length)
    for (let k = 0; k < keys.length; k++) {
      const a = Math.floor(keys[k] / faces)
      const b = keys[k] - a * faces
      pairs[2 * k] = a
      pairs[2 * k + 1] = b
      depths[k] = penetrationDepth(this.cornersOf(a, b), 0, 9)
    }
    return { pairs, depths, truncated }
  }

  /** Corners of two triangles, one after the other. */
  private cornersOf(a: number, b: number): Float64Array {
    this.search.writeCorners(a, this.corners, 0)
    this.search.writeCorners(b, this.corners, 9)
    return this.corners
  }
}

/**
 * FCL's rule: how far the deepest corner of each triangle lies behind the other's plane, and of the two the smaller. A
 * collapsed triangle has no plane and leaves the word to the other; two of them give 0.
 */
export function penetrationDepth(c: Float64Array, s: number, t: number): number {
  const depth = Math.min(deepestBehind(c, s, t), deepestBehind(c, t, s))
  return depth === Infinity ? 0 : Math.max(depth, 0)
}

/** Depth of the deepest corner of the triangle at `t` behind the plane of the one at `s` [m]; Infinity if no plane. */
function deepestBehind(c: Float64Array, s: number, t: number): number {
  const ux = c[s + 3] - c[s]
  const uy = c[s + 4] - c[s + 1]
  const uz = c[s + 5] - c[s + 2]
  const vx = c[s + 6] - c[s]
  const vy = c[s + 7] - c[s + 1]
  const vz = c[s + 8] - c[s + 2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  if (!(length > 0)) return Infinity
  let lowest = Infinity
  for (let k = t; k < t + 9; k += 3) {
    lowest = Math.min(lowest, nx * (c[k] - c[s]) + ny * (c[k + 1] - c[s + 1]) + nz * (c[k + 2] - c[s + 2]))
  }
  return -lowest / length
}
