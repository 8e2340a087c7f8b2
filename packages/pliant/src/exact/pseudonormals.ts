/**
 * Angle-weighted pseudonormals (Baerentzen and Aanaes 2005): one normal per face, edge and vertex such that the side of
 * the surface a point lies on is the sign of its product with the normal of the feature it is closest to. Worked out when
 * they are asked for, and kept until the surface moves.
 */
import type { EdgeTable } from '../mesh/adjacency.js'
import { FEATURE_CORNER, FEATURE_FACE, FEATURE_SIDE } from './point-triangle.js'
import type { TriangleTree } from './triangle-tree.js'

export class Pseudonormals {
  /** Unit face normals by slot, zero for collapsed triangles; edge normals by edge number and vertex normals by welded
   * vertex number, not normalised. */
  private readonly faces: Normals
  private readonly edges: Normals
  private readonly vertices: Normals
  /** Corners of each edge and each vertex, by slots: 3 * slot + k, rising. */
  private readonly atEdges: Lists
  private readonly atVertices: Lists
  private readonly twiceAreas: Float64Array
  private updates = 0

  /**
   * @param edges  edges of the mesh after welding
   * @param weld   for each vertex the vertex that stands for its place
   */
  constructor(
    private readonly tree: TriangleTree,
    private readonly edgeOf: EdgeTable,
    private readonly weld: Uint32Array,
  ) {
    const { vertices, triangleOfSlot } = tree
    const edges = vertices.map((_, i) => edgeOf.edgeOfCorner[3 * triangleOfSlot[Math.trunc(i / 3)] + (i % 3)])
    this.faces = noNormals(triangleOfSlot.length)
    this.twiceAreas = new Float64Array(triangleOfSlot.length)
    this.edges = noNormals(edgeOf.edgeCount)
    this.vertices = noNormals(weld.length)
    this.atEdges = cornersBy(edges, edgeOf.edgeCount)
    this.atVertices = cornersBy(
      vertices.map((vertex) => weld[vertex]),
      weld.length,
    )
    this.update()
  }

  /** The tree's corners have moved: normals are worked out again, each when it is asked for. */
  update(): void {
    this.updates++
  }

  /**
   * Writes the unit normal of a feature of the triangle in `slot` to `out`. Where sheets cancel (a double sheet, two
   * bodies face to face) or triangles are collapsed, the triangle's own stands in, or that of one of its corners; zero
   * only if none of them has one.
   */
  of(slot: number, feature: number, out: Float64Array): void {
    const { weld, tree } = this
    if (feature >= FEATURE_CORNER) {
      if (this.writeVertex(weld[tree.vertices[3 * slot + feature - FEATURE_CORNER]], out)) return
    } else if (feature !== FEATURE_FACE) {
      if (this.writeEdge(this.edgeOf.edgeOfCorner[3 * tree.triangleOfSlot[slot] + feature - FEATURE_SIDE], out)) return
    }
    this.findFace(slot)
    if (writeUnit(this.faces.xyz, slot, out)) return
    for (let k = 0; k < 3; k++) if (this.writeVertex(weld[tree.vertices[3 * slot + k]], out)) return
    out.fill(0)
  }

  private writeVertex(vertex: number, out: Float64Array): boolean {
    const { xyz, update } = this.vertices
    const { starts, corners } = this.atVertices
    if (update[vertex] !== this.updates) {
      xyz.fill(0, 3 * vertex, 3 * vertex + 3)
      for (let i = starts[vertex]; i < starts[vertex + 1]; i++) {
        const slot = Math.trunc(corners[i] / 3)
        const twiceArea = this.findFace(slot)
        const angle = angleAt(this.tree.corners, 9 * slot, corners[i] % 3, twiceArea)
        addScaled(xyz, vertex, this.faces.xyz, 3 * slot, angle)
      }
      update[vertex] = this.updates
    }
    return writeUnit(xyz, vertex, out)
  }

  private writeEdge(edge: number, out: Float64Array): boolean {
    const { xyz, update } = this.edges
    const { starts, corners } = this.atEdges
    if (update[edge] !== this.updates) {
      xyz.fill(0, 3 * edge, 3 * edge + 3)
      for (let i = starts[edge]; i < starts[edge + 1]; i++) {
        const slot = Math.trunc(corners[i] / 3)
        this.findFace(slot)
        addScaled(xyz, edge, this.faces.xyz, 3 * slot, 1)
      }
      update[edge] = this.updates
    }
    return writeUnit(xyz, edge, out)
  }

  /** @returns twice its area */
  private findFace(slot: number): number {
    const { corners: c } = this.tree
    const { xyz, update } = this.faces
    const o = 9 * slot
    const n = 3 * slot
    if (update[slot] === this.updates) return this.twiceAreas[slot]
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
    xyz[n] = nx * scale
    xyz[n + 1] = ny * scale
    xyz[n + 2] = nz * scale
    update[slot] = this.updates
    this.twiceAreas[slot] = length
    return length
  }
}

/** Normals, and in which update each was worked out. */
interface Normals {
  xyz: Float64Array
  update: Uint32Array
}

function noNormals(count: number): Normals {
  return { xyz: new Float64Array(3 * count), update: new Uint32Array(count) }
}

/** Lists of corners, one after the other. */
interface Lists {
  starts: Uint32Array
  corners: Uint32Array
}

/** @param of  for each corner the list that it is in */
function cornersBy(of: Uint32Array, count: number): Lists {
  const starts = new Uint32Array(count + 1)
  for (const list of of) starts[list + 1]++
  for (let list = 0; list < count; list++) starts[list + 1] += starts[list]
  const next = starts.slice()
  const corners = new Uint32Array(of.length)
  of.forEach((list, corner) => {
    corners[next[list]++] = corner
  })
  return { starts, corners }
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
