/**
 * The surface of a body laid through the given one: nodes that lie on a surface leave all chords on one side of it, so that
 * a sphere shrinks. Here they move to where the distance of points of the given surface from their triangles, along
 * its normals, is least in the mean of squares (Hoppe et al. 1993, with planes for points as in Chen and Medioni 1991),
 * as far as the tetrahedra around them stay good.
 */

import { boxOfPoints, surfaceOfTets, type TetMesh, type TriangleMesh } from 'pliant'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { boxDiagonal } from 'pliant/unstable'
import { smoothBody } from './smooth.js'
import type { SurfacePoints } from './surface-points.js'
import { TetStars } from './tet-stars.js'

/** Rounds, each with new nearest triangles; four more gain 3% of the mean. */
const ROUNDS = 8
/** Holds a node where planes leave it free to slide, as a share of what pulls it. At .1 the mean was a third larger. */
const HOLD = 0.005
/** Longest step, in mean lengths of the edges at the node. */
const LONGEST = 0.2
/** Shares of the way to try. */
const STEPS = [1, 0.5, 0.25]
/** Rounds in which inner nodes follow. */
const SMOOTH = 2
/**
 * Quality (see `tetQuality`) that no tetrahedron falls below, unless it was. A bunny at .25, .35 and .45: mean distance .029,
 * .031 and .044% of the diagonal, smallest angle 10.7, 15.4 and 19.4 degrees.
 */
const FLOOR = 0.35
/**
 * The same where pairs are further apart than this share of the size: at ear rims and other tips. With .35 there too, the
 * largest distance of a bunny was 1.5% of the diagonal instead of .87, with .15 .65, but with angles down to 7.5 degrees.
 */
const FAR = 0.002
const FAR_FLOOR = 0.25

/**
 * @param targets  points of the given surface
 * @param given    the given surface
 * @param pause    called between rounds with the share that is done; may throw to stop
 * @returns a body of the same tetrahedra whose surface lies nearer to the given one
 */
export async function fitSurface(
  mesh: TetMesh,
  targets: SurfacePoints,
  given: ExactMeshField,
  pause: (fraction: number) => Promise<void>,
): Promise<TetMesh> {
  const surface = surfaceOfTets(mesh)
  const { nodeOfVertex } = surface
  const stars = new TetStars(mesh)
  const inner = Uint8Array.from(surface.vertexOfNode, (vertex) => (vertex < 0 ? 1 : 0))
  const size = boxDiagonal(boxOfPoints(mesh.positions))
  const near = new Pairs(surface, targets, given)
  const held = new Uint8Array(nodeOfVertex.length)
  for (let round = 0; round < ROUNDS; round++) {
    await pause(round / ROUNDS)
    const before = stars.positions.slice()
    near.update(stars.positions, nodeOfVertex)
    for (let vertex = 0; vertex < nodeOfVertex.length; vertex++) {
      const step = held[vertex] ? undefined : near.bestMove(vertex, stars.positions, nodeOfVertex)
      if (step) moveNode(stars, nodeOfVertex[vertex], step, near.farthest(vertex) > FAR * size ? FAR_FLOOR : FLOOR)
    }
    smoothBody(stars, inner, SMOOTH)
    // Sheets close to each other may have met: where they did, they stay.
    const met = near.crossings(stars.positions, nodeOfVertex)
    if (met.length === 0) continue
    for (const vertex of met) held[vertex] = 1
    stars.positions.set(before)
  }
  return { positions: stars.positions, tetrahedra: mesh.tetrahedra }
}

function moveNode(stars: TetStars, node: number, [x, y, z]: Float64Array, least: number): void {
  const { positions: p } = stars
  const old = p.slice(3 * node, 3 * node + 3)
  const floor = Math.min(least, stars.worstAround(node))
  const cap = Math.min(1, (LONGEST * stars.meanEdge(node)) / Math.hypot(x, y, z))
  for (const share of STEPS) {
    p[3 * node] = old[0] + cap * share * x
    p[3 * node + 1] = old[1] + cap * share * y
    p[3 * node + 2] = old[2] + cap * share * z
    if (stars.worstAround(node) >= floor) return
  }
  p.set(old, 3 * node)
}

/** Where in each triangle of the body's surface points are compared with the given one: shares of its corners. */
const PROBES = [
  [1 / 3, 1 / 3, 1 / 3],
  [0.8, 0.1, 0.1],
  [0.1, 0.8, 0.1],
  [0.1, 0.1, 0.8],
  [0.5, 0.5, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
] as const

/**
 * Pairs of points, one in a triangle of the body's surface and one on the given surface: the nearest from points of the
 * given surface, and, so that none of the body's is left beyond its tips, from points of the body's.
 */
class Pairs {
  /** Triangle of each, shares of its corners, the given surface's point and normal. */
  private readonly triangleOf: Uint32Array
  private readonly shares: Float64Array
  private readonly points: Float64Array
  private readonly normals: Float64Array
  private readonly distances: Float64Array
  private readonly pairsOfVertex: number[][]
  private readonly field: ExactMeshField
  private readonly crossing: SelfIntersection
  private readonly places: Float64Array

  constructor(
    private readonly surface: TriangleMesh,
    private readonly targets: SurfacePoints,
    private readonly given: ExactMeshField,
  ) {
    this.field = new ExactMeshField(surface, { sign: 'pseudonormal', ties: 'search' })
    this.crossing = new SelfIntersection(surface)
    this.places = Float64Array.from(surface.positions)
    const count = targets.points.length / 3 + (PROBES.length * surface.triangles.length) / 3
    this.triangleOf = new Uint32Array(count)
    this.shares = new Float64Array(3 * count)
    this.points = new Float64Array(3 * count)
    this.normals = new Float64Array(3 * count)
    this.distances = new Float64Array(count)
    this.pairsOfVertex = Array.from({ length: this.places.length / 3 }, () => [])
    this.points.set(targets.points)
    this.normals.set(targets.normals)
  }

  /** Finds the pairs again. */
  update(nodes: Float64Array, nodeOfVertex: Uint32Array): void {
    const { pairsOfVertex, shares, surface, triangleOf } = this
    this.place(nodes, nodeOfVertex)
    this.fromGiven()
    this.fromBody()
    for (const list of pairsOfVertex) list.length = 0
    for (let i = 0; i < triangleOf.length; i++) {
      for (let k = 0; k < 3; k++) {
        if (shares[3 * i + k] > 0) pairsOfVertex[surface.triangles[3 * triangleOf[i] + k]].push(i)
      }
    }
  }

  /** Vertices of triangles that cross others. */
  crossings(nodes: Float64Array, nodeOfVertex: Uint32Array): number[] {
    this.place(nodes, nodeOfVertex)
    this.crossing.update(this.places)
    const { triangles } = this.surface
    return [...this.crossing.pairs().pairs].flatMap((t) => [...triangles.subarray(3 * t, 3 * t + 3)])
  }

  private place(nodes: Float64Array, nodeOfVertex: Uint32Array): void {
    for (let v = 0; v < nodeOfVertex.length; v++) {
      for (let axis = 0; axis < 3; axis++) this.places[3 * v + axis] = nodes[3 * nodeOfVertex[v] + axis]
    }
  }

  private fromGiven(): void {
    const { points } = this.targets
    const count = points.length / 3
    const found = {
      distances: this.distances,
      closestPoints: new Float64Array(points.length),
      triangleIds: this.triangleOf,
    }
    this.field.update({ vertices: this.places })
    this.field.closest(points, count, found)
    for (let i = 0; i < count; i++) {
      barycentric(this.places, this.surface.triangles, 3 * this.triangleOf[i], found.closestPoints, 3 * i, this.shares)
    }
  }

  private fromBody(): void {
    const { places, surface, triangleOf, shares } = this
    const { triangles } = surface
    const first = this.targets.points.length / 3
    const count = triangleOf.length - first
    const probes = new Float64Array(3 * count)
    for (let i = 0; i < count; i++) {
      const triangle = Math.trunc(i / PROBES.length)
      triangleOf[first + i] = triangle
      shares.set(PROBES[i % PROBES.length], 3 * (first + i))
      for (let k = 0; k < 3; k++) {
        const corner = 3 * triangles[3 * triangle + k]
        for (let axis = 0; axis < 3; axis++) probes[3 * i + axis] += shares[3 * (first + i) + k] * places[corner + axis]
      }
    }
    this.given.closest(probes, count, {
      distances: this.distances.subarray(first),
      closestPoints: this.points.subarray(3 * first),
      normals: this.normals.subarray(3 * first),
    })
  }

  /** Largest distance [m] of a vertex's pairs. */
  farthest(vertex: number): number {
    return this.pairsOfVertex[vertex].reduce((most, i) => Math.max(most, Math.abs(this.distances[i])), 0)
  }

  /** The least-squares step [m] of one vertex, the others held; undefined if it has no pairs. */
  bestMove(vertex: number, nodes: Float64Array, nodeOfVertex: Uint32Array): Float64Array | undefined {
    const { shares, surface, points, normals, triangleOf } = this
    const a = new Float64Array(6)
    const g = new Float64Array(3)
    let weight = 0
    for (const i of this.pairsOfVertex[vertex]) {
      let own = 0
      const [nx, ny, nz] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]]
      let away = nx * points[3 * i] + ny * points[3 * i + 1] + nz * points[3 * i + 2]
      for (let k = 0; k < 3; k++) {
        const corner = surface.triangles[3 * triangleOf[i] + k]
        const share = shares[3 * i + k]
        if (corner === vertex) own = share
        const at = 3 * nodeOfVertex[corner]
        away -= share * (nx * nodes[at] + ny * nodes[at + 1] + nz * nodes[at + 2])
      }
      const square = own * own
      a[0] += square * nx * nx
      a[1] += square * nx * ny
      a[2] += square * nx * nz
      a[3] += square * ny * ny
      a[4] += square * ny * nz
      a[5] += square * nz * nz
      g[0] += own * away * nx
      g[1] += own * away * ny
      g[2] += own * away * nz
      weight += square
    }
    if (!(weight > 0)) return undefined
    for (const i of [0, 3, 5]) a[i] += HOLD * weight
    return solveSymmetric(a, g)
  }
}

/** Shares of a triangle's corners in a point of it. */
function barycentric(
  p: Float64Array,
  triangles: Uint32Array,
  t: number,
  q: Float64Array,
  i: number,
  out: Float64Array,
): void {
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
  const [wx, wy, wz] = [q[i] - p[a], q[i + 1] - p[a + 1], q[i + 2] - p[a + 2]]
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const wu = wx * ux + wy * uy + wz * uz
  const wv = wx * vx + wy * vy + wz * vz
  const determinant = uu * vv - uv * uv
  const second = determinant > 0 ? (vv * wu - uv * wv) / determinant : 0
  const third = determinant > 0 ? (uu * wv - uv * wu) / determinant : 0
  out[i] = 1 - second - third
  out[i + 1] = second
  out[i + 2] = third
}

/** @param a xx, xy, xz, yy, yz, zz of a positive definite matrix */
function solveSymmetric(a: Float64Array, g: Float64Array): Float64Array {
  const [xx, xy, xz, yy, yz, zz] = a
  const c0 = yy * zz - yz * yz
  const c1 = xz * yz - xy * zz
  const c2 = xy * yz - xz * yy
  const determinant = xx * c0 + xy * c1 + xz * c2
  return Float64Array.of(
    (c0 * g[0] + c1 * g[1] + c2 * g[2]) / determinant,
    (c1 * g[0] + (xx * zz - xz * xz) * g[1] + (xy * xz - xx * yz) * g[2]) / determinant,
    (c2 * g[0] + (xy * xz - xx * yz) * g[1] + (xx * yy - xy * xy) * g[2]) / determinant,
  )
}
