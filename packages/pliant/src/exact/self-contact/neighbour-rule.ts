/**
 * Which pairs of triangles are neighbours, so that nobody minds if they meet: skin folds at an elbow and in an armpit,
 * clothes lie on it, and neither can be undone by another pose. A pair is left alone if
 *
 *   1. both triangles are of one part or of joined parts (bones that are joined by a joint), if parts are joined,
 *   2. or the way between them along the edges of the surface at rest is shorter than `along`,
 *   3. or they are nearer to each other at rest, through space, than `near`,
 *
 * both lengths as shares of the diagonal of the box around the surface at rest.
 */
import { boxDiagonal, boxOfPoints } from '../../math/box.js'
import { LeastFirst } from '../../math/least-first.js'
import { NOT_NEGATIVE, type Rules, settingsOf } from '../../math/settings.js'
import { edgeTable, trianglesAtVertices, type VertexTriangles } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { firstAtSamePlace } from '../../mesh/weld.js'
import type { PairRule } from '../self-intersection.js'
import { type TriangleGap, triangleGap } from '../triangle-gap.js'
import { TriangleTree } from '../triangle-tree.js'
import { trianglesMeet } from '../triangle-triangle.js'

/** How far neighbours reach. */
export interface NeighbourOptions {
  /** Shortest way along the surface between triangles that must not meet, as a share of the diagonal; zero or more. */
  along?: number
  /** Smallest distance at rest between triangles that must not meet, as a share of the diagonal; zero or more. */
  near?: number
}
/** A twentieth of the diagonal along the surface, a two-hundredth through space. */
export const NEIGHBOUR_DEFAULTS = { along: 0.05, near: 0.005 } as const

const RULES: Rules<{ along: number; near: number }> = { along: NOT_NEGATIVE, near: NOT_NEGATIVE }

/** Parts of a surface, such as the bones of a character that bends at joints. */
export interface SurfaceParts {
  /** Part of each triangle. */
  ofTriangle: Uint16Array
  /**
   * Pairs of parts that are joined, two numbers each, and each part to itself; left out, nothing is left alone for its part's
   * sake.
   */
  joined?: ArrayLike<number>
}

/** Triangles per leaf of the tree at rest. */
const LEAF_SIZE = 4

/** Of a way, at most: sums of the same lengths in another order differ by less. */
const ROUNDING = 1e-9

/** Ways along the surface that are remembered, by triangle: half a megabyte for surfaces of 10,000 vertices. */
const REMEMBERED = 4096

/**
 * Which pairs of triangles are neighbours, so that nobody minds if they meet: of joined parts, near along the surface at
 * rest, or nearly touching there.
 */
export class NeighbourRule implements PairRule {
  /** Part of each triangle; without parts all are of one. */
  readonly parts: Uint16Array
  /** How many parts there are. */
  readonly partCount: number
  /** For each two parts whether all pairs between them are left alone: 1 at `a * partCount + b` if so, else 0. */
  readonly leavesParts: Uint8Array
  /** A sixth of `along` [m]: groups of that size are told apart well, and smaller ones take long where triangles are small. */
  readonly groupSize: number
  readonly #mesh: TriangleMesh
  readonly #along: number
  readonly #near: number
  readonly #vertexMap: Uint32Array
  readonly #surface: SurfaceGraph
  /** Vertices within reach of a triangle, one bit each. */
  readonly #reached = new Map<number, Uint32Array>()
  readonly #gap: TriangleGap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }
  readonly #corners = new Float64Array(18)
  /** Once somebody asks about many triangles. */
  #around: TrianglesAround | undefined

  /**
   * Ready for any pair of triangles.
   * @param mesh   the surface at rest [m], valid
   * @param parts  such as the bones of a character; left out, ways and distances alone decide
   * @throws RangeError if an option is negative or no number
   */
  constructor(mesh: TriangleMesh, parts?: SurfaceParts, options: NeighbourOptions = {}) {
    const { along, near } = settingsOf('neighbours', options, { ...NEIGHBOUR_DEFAULTS }, RULES)
    const diagonal = boxDiagonal(boxOfPoints(mesh.positions))
    this.#mesh = mesh
    this.#along = along * diagonal
    this.groupSize = this.#along / 6
    this.#near = near * diagonal
    this.#vertexMap = firstAtSamePlace(mesh.positions)
    this.#surface = surfaceGraph(mesh, this.#vertexMap)
    this.parts = parts?.ofTriangle ?? new Uint16Array(mesh.triangles.length / 3)
    this.partCount = this.parts.reduce((most, part) => Math.max(most, part), 0) + 1
    this.leavesParts = new Uint8Array(this.partCount ** 2)
    if (parts?.joined) this.#join(parts.joined)
  }

  /** Whether a pair of triangles, by their numbers, may meet. */
  leavesAlone(a: number, b: number): boolean {
    if (this.leavesParts[this.parts[a] * this.partCount + this.parts[b]] === 1) return true
    return this.#isNear(a, b) || this.#isAlong(Math.min(a, b), Math.max(a, b))
  }

  /**
   * Triangles of other parts, not joined to its own, that may meet a triangle all the same: near along the surface at rest, or
   * nearly touching there.
   */
  closeTo(triangle: number): Set<number> {
    const own = this.parts[triangle] * this.partCount
    const isAsked = (other: number): boolean => this.leavesParts[own + this.parts[other]] === 0
    this.#around ??= new TrianglesAround(this.#mesh, this.#vertexMap)
    const found = new Set(this.#around.ofVertices(this.#reachedFrom(triangle)).filter(isAsked))
    for (const other of this.#around.nearTo(triangle, this.#near)) {
      if (isAsked(other) && this.#isNear(triangle, other)) found.add(other)
    }
    return found
  }

  /**
   * Of groups of triangles those that lie near each other along the surface as a whole: the way between the middles of two, and
   * from these to whichever of their triangles, is shorter than `along`.
   */
  leavesGroups(groups: readonly ArrayLike<number>[]): Uint32Array {
    const bits = new Uint32Array(Math.ceil(groups.length ** 2 / 32))
    const { triangles } = this.#mesh
    const corners = (triangle: number): number[] => [0, 1, 2].map((k) => this.#vertexMap[triangles[3 * triangle + k]])
    const middles = groups.map((group) => this.#middleOf(Array.from(group).flatMap(corners)))
    const groupsAt = new Map<number, number[]>()
    for (const [g, middle] of middles.entries()) groupsAt.set(middle, [...(groupsAt.get(middle) ?? []), g])
    const { ways } = this.#surface
    const radii = new Float64Array(groups.length)
    const near: { a: number; b: number; way: number }[] = []
    for (const [a, group] of groups.entries()) {
      const reached = waysWithin(this.#surface, [middles[a]], this.#along)
      // A triangle is as near as the nearest of its corners, as `leavesAlone` has it.
      for (const triangle of Array.from(group)) {
        radii[a] = Math.max(radii[a], Math.min(...corners(triangle).map((vertex) => ways[vertex])))
      }
      for (const vertex of reached) {
        for (const b of groupsAt.get(vertex) ?? []) near.push({ a, b, way: ways[vertex] })
      }
      forgetWays(this.#surface, reached)
    }
    for (const { a, b, way } of near) {
      if (!(radii[a] + way + radii[b] < (1 - ROUNDING) * this.#along)) continue
      const bit = a * groups.length + b
      bits[bit >>> 5] |= 1 << (bit & 31)
    }
    return bits
  }

  /** Of some vertices the one nearest to the middle of them all. */
  #middleOf(vertices: readonly number[]): number {
    const { positions } = this.#mesh
    const mean = [0, 1, 2].map(
      (axis) => vertices.reduce((sum, v) => sum + positions[3 * v + axis], 0) / vertices.length,
    )
    const away = (v: number): number => Math.hypot(...mean.map((at, axis) => positions[3 * v + axis] - at))
    return vertices.reduce((best, v) => (away(v) < away(best) ? v : best))
  }

  #join(joined: ArrayLike<number>): void {
    const { leavesParts, partCount } = this
    for (let part = 0; part < partCount; part++) leavesParts[part * partCount + part] = 1
    for (let i = 0; i < joined.length; i += 2) {
      const [a, b] = [joined[i], joined[i + 1]]
      if (a >= partCount || b >= partCount) continue
      leavesParts[a * partCount + b] = 1
      leavesParts[b * partCount + a] = 1
    }
  }

  #isNear(a: number, b: number): boolean {
    const { positions, triangles } = this.#mesh
    for (let k = 0; k < 6; k++) {
      const from = 3 * triangles[k < 3 ? 3 * a + k : 3 * b + k - 3]
      for (let axis = 0; axis < 3; axis++) this.#corners[3 * k + axis] = positions[from + axis]
    }
    if (trianglesMeet(this.#corners, 0, this.#corners, 9)) return true
    triangleGap(this.#corners, 0, 9, this.#gap)
    return this.#gap.distance < this.#near
  }

  #isAlong(a: number, b: number): boolean {
    const reached = this.#reachedFrom(a)
    const { triangles } = this.#mesh
    for (let k = 0; k < 3; k++) {
      const vertex = this.#vertexMap[triangles[3 * b + k]]
      if (hasBit(reached, vertex)) return true
    }
    return false
  }

  #reachedFrom(triangle: number): Uint32Array {
    const known = this.#reached.get(triangle)
    if (known) return known
    // The one that was made first goes: which are asked again is anybody's guess.
    if (this.#reached.size >= REMEMBERED) this.#reached.delete(this.#reached.keys().next().value!)
    const { triangles } = this.#mesh
    const starts = [0, 1, 2].map((k) => this.#vertexMap[triangles[3 * triangle + k]])
    const reached = new Uint32Array(Math.ceil(this.#vertexMap.length / 32))
    const vertices = waysWithin(this.#surface, starts, this.#along)
    for (const vertex of vertices) reached[vertex >> 5] |= 1 << (vertex & 31)
    forgetWays(this.#surface, vertices)
    this.#reached.set(triangle, reached)
    return reached
  }
}

/** Triangles at rest, by their vertices and by their place. */
class TrianglesAround {
  readonly #atVertices: VertexTriangles
  readonly #tree: TriangleTree
  readonly #mesh: TriangleMesh

  constructor(mesh: TriangleMesh, vertexMap: Uint32Array) {
    this.#mesh = mesh
    this.#tree = new TriangleTree(mesh, LEAF_SIZE)
    this.#atVertices = trianglesAtVertices(mesh.triangles, vertexMap)
  }

  /** @param bits  of the vertices; triangles come up once for each */
  ofVertices(bits: Uint32Array): number[] {
    const { starts, triangles } = this.#atVertices
    const found: number[] = []
    for (let vertex = 0; vertex < starts.length - 1; vertex++) {
      if (bits[vertex >> 5] === 0) vertex |= 31
      else if (hasBit(bits, vertex)) found.push(...triangles.subarray(starts[vertex], starts[vertex + 1]))
    }
    return found
  }

  /** Triangles whose boxes may be nearer to that of one than so far [m]. */
  nearTo(triangle: number, most: number): number[] {
    const { bounds, right, first, end, triangleOfSlot } = this.#tree
    const { positions, triangles } = this.#mesh
    const ends = [0, 1, 2].map((axis) => {
      const corners = [0, 1, 2].map((k) => positions[3 * triangles[3 * triangle + k] + axis])
      return [Math.min(...corners) - most, Math.max(...corners) + most] as const
    })
    const found: number[] = []
    const open = [0]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const o = 6 * node
      if (ends.some(([lower, upper], axis) => bounds[o + axis] > upper || bounds[o + 3 + axis] < lower)) continue
      if (right[node] !== 0) open.push(node + 1, right[node])
      else for (let slot = first[node]; slot < end[node]; slot++) found.push(triangleOfSlot[slot])
    }
    return found
  }
}

function hasBit(bits: Uint32Array, i: number): boolean {
  return ((bits[i >> 5] >> (i & 31)) & 1) === 1
}

/** Edges of each vertex, one list after the other. */
interface SurfaceGraph {
  starts: Uint32Array
  ends: Uint32Array
  lengths: Float64Array
  /** Vertices that wait, the one with the shortest way first. */
  queue: LeastFirst
  /** Length of the way to each vertex that was found last; Infinity where there is none. */
  ways: Float64Array
}

function surfaceGraph({ positions, triangles }: TriangleMesh, vertexMap: Uint32Array): SurfaceGraph {
  const count = positions.length / 3
  const { vertices, edgeCount } = edgeTable(triangles, count, vertexMap)
  const starts = new Uint32Array(count + 1)
  for (const vertex of vertices) starts[vertex + 1]++
  for (let v = 0; v < count; v++) starts[v + 1] += starts[v]
  const next = starts.slice()
  const ends = new Uint32Array(2 * edgeCount)
  const lengths = new Float64Array(2 * edgeCount)
  for (let edge = 0; edge < edgeCount; edge++) {
    const [a, b] = [vertices[2 * edge], vertices[2 * edge + 1]]
    const length = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]))
    for (const [from, to] of [
      [a, b],
      [b, a],
    ]) {
      ends[next[from]] = to
      lengths[next[from]++] = length
    }
  }
  // Each edge is pushed at most once from either end, and the three corners of a triangle.
  return { starts, ends, lengths, queue: new LeastFirst(ends.length + 3), ways: new Float64Array(count).fill(Infinity) }
}

/**
 * Dijkstra 1959, as far as `most`. The graph's ways tell how long they are, until they are forgotten.
 * @returns vertices that a way shorter than that leads to, those it starts from included
 */
function waysWithin(
  { starts, ends, lengths, queue, ways }: SurfaceGraph,
  from: readonly number[],
  most: number,
): readonly number[] {
  const reached: number[] = []
  const reach = (vertex: number, way: number): void => {
    if (ways[vertex] === Infinity) reached.push(vertex)
    ways[vertex] = way
    queue.push(way, vertex)
  }
  queue.clear()
  for (const vertex of from) reach(vertex, 0)
  while (queue.size > 0) {
    const way = queue.least
    const vertex = queue.pop()
    // It waited more than once, and has gone on by a shorter way.
    if (way > ways[vertex]) continue
    for (let edge = starts[vertex]; edge < starts[vertex + 1]; edge++) {
      const next = way + lengths[edge]
      if (next < most && next < ways[ends[edge]]) reach(ends[edge], next)
    }
  }
  return reached
}

function forgetWays({ ways }: SurfaceGraph, reached: readonly number[]): void {
  for (const vertex of reached) ways[vertex] = Infinity
}
