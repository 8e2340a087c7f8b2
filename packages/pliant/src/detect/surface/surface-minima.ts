/**
 * Where edges and triangles of a surface that deforms come nearest to a field, or deepest into it, between their vertices:
 * min phi(sum w_i x_i) over each edge and triangle (Macklin et al. 2020, "Local optimization for robust signed distance field
 * collision"; algorithms.md 7), where a spike or a thin pole stands between vertices that are all outside.
 *
 * Of ours: by tangents in the place of golden section and Frank-Wolfe, a third of the queries and less. What the values of
 * vertices say is out of reach is not asked at all; the rest is asked in batches, one a round. Nothing is allocated by `find`.
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Floats } from '../../math/floats.js'
import { requireCount } from '../../math/require.js'
import { NOT_NEGATIVE, POSITIVE, type Rules, settingsOf } from '../../math/settings.js'
import { edgeTable } from '../../mesh/adjacency.js'
import { EdgeMinima } from './edge-minima.js'
import { FaceMinima } from './face-minima.js'
import { MOST_PLANES } from './lowest-of-planes.js'

/** How closely edges and triangles are searched. */
export interface SurfaceMinimaOptions {
  /** How much deeper than what is found there may be, as a share of the longest side, zero or more. */
  tolerance?: number
  /** Most places asked on an edge or triangle, corners not counted: a whole number from 1 to 24. */
  queries?: number
  /** Most that the field changes by per metre of way: 1 of distances. */
  slope?: number
}

/** Closely enough for thicknesses of a tenth of an edge. */
export const SURFACE_MINIMA_DEFAULTS: Readonly<Required<SurfaceMinimaOptions>> = {
  tolerance: 0.005,
  queries: 8,
  slope: 1,
}

/** Between normal and gradient: what has been run through from the side is not pushed out further than five times its depth. */
const LEAST_COSINE = 0.2

const RULES: Rules<SurfaceMinimaOptions> = {
  tolerance: NOT_NEGATIVE,
  queries: {
    fits: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_PLANES - 3,
    needs: `give a whole number from 1 to ${MOST_PLANES - 3}`,
  },
  slope: POSITIVE,
}

/**
 * Least places of a surface's edges and triangles, where these lie deeper in a field than their ends or corners do (by more
 * than the tolerance), and those of triangles deeper than those of their edges. On each edge and triangle one: the least, if
 * the field is convex there, as that of a ball, a pole, a spike or a box is; else a low one.
 */
export class SurfaceMinima {
  /** How many were found: the first so many entries of every array. */
  count = 0
  /** Points asked by the last `find`: for measurements. */
  queries = 0
  /** How many edges the surface has. */
  readonly edgeCount: number
  /** Edge of each that was found, or the number of edges plus the triangle. */
  readonly features: Uint32Array
  /** The three vertices that each lies between; of an edge the third is its first again. */
  readonly corners: Uint32Array
  /** How much of each vertex, three weights that add up to 1; of an edge the third is 0. */
  readonly weights: Float64Array
  /** Where it is [m], xyz triples. */
  readonly points: Float64Array
  /** The field there [m]. */
  readonly distances: Float64Array
  /**
   * Way to the field's surface along the normal [m], negative: depth; to first order. Within a spike that is several times
   * the distance, whose shortest way leads out sideways.
   */
  readonly separations: Float64Array
  /** Of every vertex: 1 if an edge or triangle at it was searched by the last `find`. */
  readonly isNear: Uint8Array
  /** Unit vectors out of the field, across the edge or triangle, xyz triples. */
  readonly normals: Float64Array
  private readonly settings: Required<SurfaceMinimaOptions>
  private readonly ends: Uint32Array
  private readonly edgesOfFaces: Uint32Array
  private readonly edges: EdgeMinima
  private readonly faces: FaceMinima
  /** Of every edge: the least known value [m], infinite where it is out of reach. */
  private readonly edgeLeast: Float64Array
  private readonly nearEdges: Uint8Array
  private readonly nearFaces: Uint8Array
  /** Vertices of what is near, and the field there. */
  private readonly asked: Uint32Array
  private readonly places: Float64Array
  private readonly answers: Float64Array
  private readonly answerGradients: Float64Array
  private readonly values: Float64Array
  private readonly gradients: Float64Array

  /**
   * @param triangles  vertex numbers, three per triangle. Not copied.
   * @throws RangeError if an option is out of range or a triangle names a vertex that there is not
   */
  constructor(
    private readonly triangles: Uint32Array,
    private readonly vertexCount: number,
    options: SurfaceMinimaOptions = {},
  ) {
    this.settings = settingsOf<Required<SurfaceMinimaOptions>>(
      'surface minima',
      options,
      SURFACE_MINIMA_DEFAULTS,
      RULES,
    )
    const table = edgeTable(triangles, vertexCount)
    this.edgeCount = table.edgeCount
    this.ends = table.vertices
    this.edgesOfFaces = table.edgeOfCorner
    const faceCount = triangles.length / 3
    const most = this.edgeCount + faceCount
    this.edges = new EdgeMinima(this.ends)
    this.faces = new FaceMinima(triangles, this.settings.queries)
    this.features = new Uint32Array(most)
    this.corners = new Uint32Array(3 * most)
    this.weights = new Float64Array(3 * most)
    this.points = new Float64Array(3 * most)
    this.distances = new Float64Array(most)
    this.separations = new Float64Array(most)
    this.normals = new Float64Array(3 * most)
    this.edgeLeast = new Float64Array(this.edgeCount)
    this.nearEdges = new Uint8Array(this.edgeCount)
    this.nearFaces = new Uint8Array(faceCount)
    this.isNear = new Uint8Array(vertexCount)
    this.asked = new Uint32Array(vertexCount)
    this.places = new Float64Array(3 * vertexCount)
    this.answers = new Float64Array(vertexCount)
    this.answerGradients = new Float64Array(3 * vertexCount)
    this.values = new Float64Array(vertexCount)
    this.gradients = new Float64Array(3 * vertexCount)
  }

  /**
   * Searches the surface where it is now.
   * @param positions  of the vertices [m], xyz triples
   * @param lows       what the field is at each vertex at least [m]: its value, or less by the way gone since
   * @param within     of each vertex: what lies further out than this near it is of no use [m]
   * @returns how many were found
   * @throws RangeError if there are too few numbers
   */
  find(field: SignedField, positions: Floats, lows: Floats, within: Floats): number {
    requireCount('surface minima', positions, 'vertex', this.vertexCount, 3)
    requireCount('surface minima: lows', lows, 'vertex', this.vertexCount, 1)
    requireCount('surface minima: within', within, 'vertex', this.vertexCount, 1)
    this.count = 0
    this.queries = 0
    if (!this.markNear(positions, lows, within)) return 0
    this.askVertices(field, positions)
    this.searchEdges(field, positions, within)
    this.searchFaces(field, positions, within)
    return this.count
  }

  /**
   * Marks edges and triangles that a field of this slope allows to be near. @returns whether there are any
   */
  private markNear(x: Floats, lows: Floats, within: Floats): boolean {
    const { ends, triangles, nearEdges, nearFaces, isNear } = this
    isNear.fill(0)
    let some = false
    for (let edge = 0; edge < nearEdges.length; edge++) {
      const [a, b] = [ends[2 * edge], ends[2 * edge + 1]]
      nearEdges[edge] = this.isEdgeClear(x, a, b, lows, within) ? 0 : 1
      if (nearEdges[edge] === 0) continue
      isNear[a] = 1
      isNear[b] = 1
      some = true
    }
    for (let face = 0; face < nearFaces.length; face++) {
      const [a, b, c] = [triangles[3 * face], triangles[3 * face + 1], triangles[3 * face + 2]]
      nearFaces[face] = this.isFaceClear(x, a, b, c, lows, within) ? 0 : 1
      if (nearFaces[face] === 0) continue
      isNear[a] = 1
      isNear[b] = 1
      isNear[c] = 1
      some = true
    }
    return some
  }

  /** Cones down from both ends meet no lower than this; what is not a number is asked. */
  private isEdgeClear(x: Floats, a: number, b: number, lows: Floats, within: Floats): boolean {
    const bound = (lows[a] + lows[b] - this.settings.slope * way(x, a, b)) / 2
    return bound > Math.max(within[a], within[b])
  }

  /** The mean of cones down from the corners is least at a corner, where two of them have gone down a side. */
  private isFaceClear(x: Floats, a: number, b: number, c: number, lows: Floats, within: Floats): boolean {
    const [ab, bc, ca] = [way(x, a, b), way(x, b, c), way(x, c, a)]
    const longest = Math.max(ab, bc, ca)
    const { slope } = this.settings
    const mean = (lows[a] + lows[b] + lows[c] - slope * (ab + bc + ca - Math.min(ab, bc, ca))) / 3
    const bound = Math.max(mean, Math.max(lows[a], lows[b], lows[c]) - slope * longest)
    return bound > Math.max(within[a], within[b], within[c])
  }

  private askVertices(field: SignedField, x: Floats): void {
    const { isNear, asked, places, answers, answerGradients, values, gradients } = this
    let count = 0
    for (let v = 0; v < isNear.length; v++) {
      if (isNear[v] === 0) continue
      for (let axis = 0; axis < 3; axis++) places[3 * count + axis] = x[3 * v + axis]
      asked[count++] = v
    }
    field.query(places, count, answers, answerGradients)
    this.queries += count
    for (let i = 0; i < count; i++) {
      values[asked[i]] = answers[i]
      for (let axis = 0; axis < 3; axis++) gradients[3 * asked[i] + axis] = answerGradients[3 * i + axis]
    }
  }

  private searchEdges(field: SignedField, x: Floats, within: Floats): void {
    const { ends, edges, nearEdges, values, gradients, edgeLeast, settings } = this
    edges.count = 0
    edgeLeast.fill(Infinity)
    for (let edge = 0; edge < nearEdges.length; edge++) {
      if (nearEdges[edge] === 0) continue
      const [a, b] = [ends[2 * edge], ends[2 * edge + 1]]
      if (this.isEdgeClear(x, a, b, values, within)) continue
      const length = way(x, a, b)
      const limit = Math.max(within[a], within[b])
      edges.add(edge, x, values, gradients, limit, settings.tolerance * length, settings.slope * length)
    }
    this.queries += edges.search(field, x, settings.queries)
    for (let k = 0; k < edges.count; k++) {
      const edge = edges.edges[k]
      const [a, b] = [ends[2 * edge], ends[2 * edge + 1]]
      edgeLeast[edge] = edges.least[k]
      const deeper = Math.min(values[a], values[b]) - settings.tolerance * way(x, a, b)
      if (!(edges.least[k] < deeper && edges.least[k] <= Math.max(within[a], within[b]))) continue
      if (!edges.normal(k, x, gradients, this.normals, 3 * this.count)) continue
      this.record(edge, x, a, b, a, edges.shares[k], 0, edges.least[k], edges.cosine(k, this.normals, 3 * this.count))
    }
  }

  private searchFaces(field: SignedField, x: Floats, within: Floats): void {
    const { triangles, faces, nearFaces, values, gradients, edgesOfFaces, edgeLeast, settings } = this
    faces.count = 0
    for (let face = 0; face < nearFaces.length; face++) {
      if (nearFaces[face] === 0) continue
      const [a, b, c] = [triangles[3 * face], triangles[3 * face + 1], triangles[3 * face + 2]]
      if (this.isFaceClear(x, a, b, c, values, within)) continue
      const longest = Math.max(way(x, a, b), way(x, b, c), way(x, c, a))
      const byEdges = Math.min(
        edgeLeast[edgesOfFaces[3 * face]],
        edgeLeast[edgesOfFaces[3 * face + 1]],
        edgeLeast[edgesOfFaces[3 * face + 2]],
      )
      const limit = Math.max(within[a], within[b], within[c])
      faces.add(face, x, values, gradients, limit, settings.tolerance * longest, byEdges)
    }
    this.queries += faces.search(field, x)
    for (let k = 0; k < faces.count; k++) {
      if (!faces.isDeeper(k)) continue
      const face = faces.faces[k]
      if (!faces.normal(k, x, this.normals, 3 * this.count)) continue
      const [a, b, c] = [triangles[3 * face], triangles[3 * face + 1], triangles[3 * face + 2]]
      this.record(
        this.edgeCount + face,
        x,
        a,
        b,
        c,
        faces.shares[2 * k],
        faces.shares[2 * k + 1],
        faces.least[k],
        faces.cosine(k),
      )
    }
  }

  private record(
    feature: number,
    x: Floats,
    a: number,
    b: number,
    c: number,
    shareB: number,
    shareC: number,
    distance: number,
    cosine: number,
  ): void {
    const { count, corners, weights, points } = this
    const o = 3 * count
    this.features[count] = feature
    corners[o] = a
    corners[o + 1] = b
    corners[o + 2] = c
    weights[o] = 1 - shareB - shareC
    weights[o + 1] = shareB
    weights[o + 2] = shareC
    for (let axis = 0; axis < 3; axis++) {
      points[o + axis] =
        weights[o] * x[3 * a + axis] + weights[o + 1] * x[3 * b + axis] + weights[o + 2] * x[3 * c + axis]
    }
    this.distances[count] = distance
    this.separations[count] = distance < 0 ? distance / Math.max(cosine, LEAST_COSINE) : distance
    this.count++
  }
}

function way(x: Floats, a: number, b: number): number {
  const dx = x[3 * b] - x[3 * a]
  const dy = x[3 * b + 1] - x[3 * a + 1]
  const dz = x[3 * b + 2] - x[3 * a + 2]
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}
