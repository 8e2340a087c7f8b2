/**
 * The bounding volume tree under every exact query. three-mesh-bvh builds it (surface area heuristic); its splits are
 * kept for good, its boxes are not: they are single precision, and after its own refit no longer enclose what they
 * bound, by a rounding. Ours are double and exact, and lie beside the triangles' corners in one flat layout, in the order
 * of the leaves: a refit costs 1.1 to 1.6 times its own, a query a third. Kernels have boxes of their own (`wide-tree.ts`).
 */
import { BufferAttribute, BufferGeometry } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import { boxCentre, boxDiagonal, boxOfPoints } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireItems } from '../math/require.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'

/** Layout of a three-mesh-bvh node: six floats of bounds, then right child or first primitive, then leaf mark. */
const WORDS_PER_NODE = 8
const LEAF_MARK = 0xffff

/** Deepest tree that is built, and hence the most that a traversal has to remember. */
export const MAX_TREE_DEPTH = 60

export class TriangleTree {
  readonly nodeCount: number
  /** Lower then upper corner of each node's box, six numbers per node. */
  readonly bounds: Float64Array
  /** Right child of each node, 0 for a leaf. The left child is the next node: nodes are in depth-first order. */
  readonly right: Int32Array
  /** First slot below each node; its slots end at `end`. */
  readonly first: Int32Array
  readonly end: Int32Array
  /** Triangle number of each slot: slots are the triangles in the order of the leaves. */
  readonly triangleOfSlot: Uint32Array
  /** Vertex numbers of each slot, three each. */
  readonly vertices: Uint32Array
  /** Corner positions of each slot, nine numbers each. Kernels put another array of their own in its place. */
  corners: Float64Array
  /** What searches add to the distance of the nearest triangle, before they leave a box out [m]. */
  slack = 0
  private readonly positionCount: number

  /**
   * @param mesh      valid (`requireValidMesh`); positions are read, not kept
   * @param leafSize  triangles per leaf to aim for
   */
  constructor(mesh: TriangleMesh, leafSize: number) {
    const { roots, indirectBuffer } = buildSplits(mesh, leafSize)
    const words = new Uint32Array(roots[0])
    const halves = new Uint16Array(roots[0])
    this.nodeCount = words.length / WORDS_PER_NODE
    this.positionCount = mesh.positions.length
    this.bounds = new Float64Array(6 * this.nodeCount)
    this.right = new Int32Array(this.nodeCount)
    this.first = new Int32Array(this.nodeCount)
    this.end = new Int32Array(this.nodeCount)
    this.triangleOfSlot = Uint32Array.from(indirectBuffer)
    this.vertices = new Uint32Array(mesh.triangles.length)
    this.corners = new Float64Array(3 * mesh.triangles.length)

    // Leaves cover the slots in order, so a leaf ends where the one after it starts; its own count is 16 bits only.
    let end = this.triangleOfSlot.length
    for (let node = this.nodeCount - 1; node >= 0; node--) {
      const word = WORDS_PER_NODE * node
      if (halves[2 * word + 15] === LEAF_MARK) {
        this.first[node] = words[word + 6]
        this.end[node] = end
        end = this.first[node]
      } else {
        this.right[node] = node + words[word + 6]
        this.first[node] = this.first[node + 1]
        this.end[node] = this.end[this.right[node]]
      }
    }
    for (let slot = 0; slot < this.triangleOfSlot.length; slot++) {
      const t = 3 * this.triangleOfSlot[slot]
      for (let k = 0; k < 3; k++) this.vertices[3 * slot + k] = mesh.triangles[t + k]
    }
    this.refit(mesh.positions)
  }

  /**
   * Moves the boxes to new positions of the same vertices. The splits stay, so a query stays right however far the
   * surface has moved, and slows down only if neighbours drift apart.
   * @throws RangeError if the number of positions differs, or naming one that is not finite; nothing has moved then
   */
  refit(positions: Floats): void {
    requireItems('refit', positions, 'vertex', this.positionCount / 3, 3)
    const { corners, vertices } = this
    for (let i = 0, o = 0; i < vertices.length; i++, o += 3) {
      const v = 3 * vertices[i]
      corners[o] = positions[v]
      corners[o + 1] = positions[v + 1]
      corners[o + 2] = positions[v + 2]
    }
    this.fitBoxes()
  }

  /** Fits the boxes to corners that somebody else has moved. */
  fitBoxes(): void {
    const { bounds: b, corners: c, right, first, end } = this
    // Children come after their parent: backward, they are done before it.
    for (let node = this.nodeCount - 1; node >= 0; node--) {
      const o = 6 * node
      const r = 6 * right[node]
      if (r === 0) {
        let lx = Infinity
        let ly = Infinity
        let lz = Infinity
        let ux = -Infinity
        let uy = -Infinity
        let uz = -Infinity
        for (let i = 9 * first[node]; i < 9 * end[node]; i += 3) {
          const x = c[i]
          const y = c[i + 1]
          const z = c[i + 2]
          if (x < lx) lx = x
          if (x > ux) ux = x
          if (y < ly) ly = y
          if (y > uy) uy = y
          if (z < lz) lz = z
          if (z > uz) uz = z
        }
        b[o] = lx
        b[o + 1] = ly
        b[o + 2] = lz
        b[o + 3] = ux
        b[o + 4] = uy
        b[o + 5] = uz
      } else {
        const l = o + 6
        b[o] = Math.min(b[l], b[r])
        b[o + 1] = Math.min(b[l + 1], b[r + 1])
        b[o + 2] = Math.min(b[l + 2], b[r + 2])
        b[o + 3] = Math.max(b[l + 3], b[r + 3])
        b[o + 4] = Math.max(b[l + 4], b[r + 4])
        b[o + 5] = Math.max(b[l + 5], b[r + 5])
      }
    }
    this.slack = searchSlack(b)
  }

  /** Signed volume [m^3] if the surface is closed: positive when it faces outward. */
  volume(): number {
    const { bounds: b, corners: c } = this
    // About the middle of the box, so that a small body far from the origin does not drown in rounding.
    const ox = (b[0] + b[3]) / 2
    const oy = (b[1] + b[4]) / 2
    const oz = (b[2] + b[5]) / 2
    let sixfold = 0
    for (let o = 0; o < c.length; o += 9) {
      const bx = c[o + 3] - ox
      const by = c[o + 4] - oy
      const bz = c[o + 5] - oz
      const cx = c[o + 6] - ox
      const cy = c[o + 7] - oy
      const cz = c[o + 8] - oz
      sixfold +=
        (c[o] - ox) * (by * cz - bz * cy) +
        (c[o + 1] - oy) * (bz * cx - bx * cz) +
        (c[o + 2] - oz) * (bx * cy - by * cx)
    }
    return sixfold / 6
  }

  /** Length of the diagonal of the whole box [m]. */
  get diagonal(): number {
    const b = this.bounds
    return Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2])
  }
}

/**
 * Closest points are found with rounding, and may lie outside of the box of their triangle by this part of the way and of
 * the body's size (a projection onto a needle of 1e-5 loses so much), and by this one of the coordinates. With so much
 * room, no box is left out whose triangle counts, so the answer does not depend on the order in which a search goes.
 */
export const SEARCH_SLACK = 1e-9
const COORDINATE_SLACK = 1e-14

/** @param box  lower, then upper corner of the whole surface */
export function searchSlack(box: Float64Array, part = SEARCH_SLACK): number {
  let largest = 0
  for (let i = 0; i < 6; i++) largest = Math.max(largest, Math.abs(box[i]))
  return part * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) + COORDINATE_SLACK * largest
}

/** Splits chosen by three-mesh-bvh on the body moved to the origin at unit size, where its single precision is best. */
function buildSplits(
  mesh: TriangleMesh,
  leafSize: number,
): { roots: ArrayBuffer[]; indirectBuffer: ArrayLike<number> } {
  const box = boxOfPoints(mesh.positions)
  const centre = boxCentre(box)
  const scale = 1 / (boxDiagonal(box) || 1)
  const geometry = new BufferGeometry()
  const local = new Float32Array(mesh.positions.length)
  for (let i = 0; i < local.length; i++) local[i] = (mesh.positions[i] - centre[i % 3]) * scale
  geometry.setAttribute('position', new BufferAttribute(local, 3))
  geometry.setIndex(new BufferAttribute(mesh.triangles, 1))
  const bvh = new MeshBVH(geometry, {
    strategy: SAH,
    targetLeafSize: leafSize,
    maxDepth: MAX_TREE_DEPTH,
    indirect: true,
    setBoundingBox: false,
    verbose: false,
  })
  const data = MeshBVH.serialize(bvh, { cloneBuffers: false })
  return data as unknown as { roots: ArrayBuffer[]; indirectBuffer: ArrayLike<number> }
}
