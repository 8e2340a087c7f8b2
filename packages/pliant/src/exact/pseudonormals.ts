/**
 * Angle-weighted pseudonormals (Baerentzen and Aanaes 2005): one normal per face, edge and vertex such that the side of
 * the surface a point lies on is the sign of its product with the normal of the feature it is closest to.
 */
import type { EdgeTable } from '../mesh/adjacency.js'
import { FEATURE_CORNER, FEATURE_FACE, FEATURE_SIDE } from './point-triangle.js'
import type { TriangleTree } from './triangle-tree.js'

export class Pseudonormals {
  /** Unit face normals by slot, zero for collapsed triangles. */
  private readonly faces: Float64Array
  /** Edge normals by edge number, not normalised. */
  private readonly edges: Float64Array
  /** Vertex normals by welded vertex number, not normalised. */
  private readonly vertices: Float64Array

  /**
   * @param edges  edges of the mesh after welding
   * @param weld   for each vertex the vertex that stands for its place
   */
  constructor(
    private readonly tree: TriangleTree,
    private readonly edgeOf: EdgeTable,
    private readonly weld: Uint32Array,
  ) {
    this.faces = new Float64Array(tree.vertices.length)
    this.edges = new Float64Array(3 * edgeOf.edgeCount)
    this.vertices = new Float64Array(3 * weld.length)
    this.update()
  }

  /** Works all normals out again from the tree's present corners. */
  update(): void {
    const { faces, edges, vertices, tree, weld } = this
    edges.fill(0)
    vertices.fill(0)
    const { corners: c, triangleOfSlot } = tree
    for (let slot = 0; slot < triangleOfSlot.length; slot++) {
      const o = 9 * slot
      const n = 3 * slot
      const ux = c[o + 3] - c[o]
      const uy = c[o + 4] - c[o + 1]
      const uz = c[o + 5] - c[o + 2]
      const vx = c[o + 6] - c[o]
      const vy = c[o + 7] - c[o + 1]
      const vz = c[o + 8] - c[o + 2]
      const nx = uy * vz - uz * vy
      const ny = uz * vx - ux * vz
      const nz = ux * vy - uy * vx
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
      const scale = length > 0 ? 1 / length : 0
      faces[n] = nx * scale
      faces[n + 1] = ny * scale
      faces[n + 2] = nz * scale
      for (let k = 0; k < 3; k++) {
        addScaled(edges, this.edgeOf.edgeOfCorner[3 * triangleOfSlot[slot] + k], faces, n, 1)
        addScaled(vertices, weld[tree.vertices[n + k]], faces, n, angleAt(c, o, k, length))
      }
    }
  }

  /**
   * Writes the unit normal of a feature of the triangle in `slot` to `out`. Where sheets cancel (a double sheet, two
   * bodies face to face) or triangles are collapsed, the triangle's own stands in, or that of one of its corners; zero
   * only if none of them has one.
   */
  of(slot: number, feature: number, out: Float64Array): void {
    const { faces, edges, vertices, weld, tree } = this
    if (feature >= FEATURE_CORNER) {
      if (writeUnit(vertices, weld[tree.vertices[3 * slot + feature - FEATURE_CORNER]], out)) return
    } else if (feature !== FEATURE_FACE) {
      const edge = this.edgeOf.edgeOfCorner[3 * tree.triangleOfSlot[slot] + feature - FEATURE_SIDE]
      if (writeUnit(edges, edge, out)) return
    }
    if (writeUnit(faces, slot, out)) return
    for (let k = 0; k < 3; k++) if (writeUnit(vertices, weld[tree.vertices[3 * slot + k]], out)) return
    out.fill(0)
  }
}

/** What is left of unit normals that cancel: shorter sums are rounding and have no direction. */
const CANCELLED = 1e-12

/** @returns false, with `out` untouched, if the i-th vector has no direction */
function writeUnit(vectors: Float64Array, i: number, out: Float64Array): boolean {
  const x = vectors[3 * i]
  const y = vectors[3 * i + 1]
  const z = vectors[3 * i + 2]
  const length = Math.sqrt(x * x + y * y + z * z)
  if (!(length > CANCELLED)) return false
  out[0] = x / length
  out[1] = y / length
  out[2] = z / length
  return true
}

function addScaled(sums: Float64Array, i: number, normals: Float64Array, n: number, weight: number): void {
  sums[3 * i] += weight * normals[n]
  sums[3 * i + 1] += weight * normals[n + 1]
  sums[3 * i + 2] += weight * normals[n + 2]
}

/** Inner angle at corner k [rad]; `twiceArea` is the length of the cross product of any two sides. */
function angleAt(c: Float64Array, o: number, k: number, twiceArea: number): number {
  const a = o + 3 * k
  const b = o + 3 * ((k + 1) % 3)
  const d = o + 3 * ((k + 2) % 3)
  const dot =
    (c[b] - c[a]) * (c[d] - c[a]) +
    (c[b + 1] - c[a + 1]) * (c[d + 1] - c[a + 1]) +
    (c[b + 2] - c[a + 2]) * (c[d + 2] - c[a + 2])
  return Math.atan2(twiceArea, dot)
}
