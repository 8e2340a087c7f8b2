/**
 * Mesh against mesh, as people have it in JavaScript: three-mesh-bvh's trees against each other, and an exact test of the
 * triangles that are left. Its `intersectsTriangles` tests pairs by itself, several times slower and not exactly
 * (libraries.md), so pairs come in ranges and are tested here, behind their boxes. A pair is as deep as FCL and Bullet say:
 * the deepest corner of either below the other's plane, and the smaller of both.
 */
import { ContactList, type TriangleMesh } from 'pliant'
import { trianglesMeet } from 'pliant/unstable/exact'
import { BufferAttribute, BufferGeometry, Matrix4 } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import type { PairContacts } from '../methods.js'
import { type FoundContact, writeDeepest } from './found-contacts.js'

/** Contacts that are kept; Bullet keeps four of a pair. */
const KEPT = 8
/** Of 1, 4, 8 and 16 triangles in a leaf, the fastest on both scenes. */
const LEAF_SIZE = 4

export class MeshPair implements PairContacts {
  readonly contacts = new ContactList(KEPT)
  /** Pairs of triangles that met in the last pose. */
  pairs = 0
  readonly #a: TreeOfMesh
  readonly #b: TreeOfMesh

  constructor(a: TriangleMesh, b: TriangleMesh) {
    this.#a = treeOf(a)
    this.#b = treeOf(b)
  }

  /** What both trees and their triangles take [bytes]. */
  get bytes(): number {
    return [this.#a, this.#b].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>): ContactList {
    const [a, b] = [this.#a, this.#b]
    const bToA = _bToA
      .fromArray(Array.from(poseA))
      .invert()
      .multiply(_poseB.fromArray(Array.from(poseB)))
    carryCorners(b.corners, bToA.elements, b.carried)
    const found: FoundContact[] = []
    this.pairs = 0
    a.tree.bvhcast(b.tree, bToA, {
      intersectsRanges: (firstA, countA, firstB, countB) => {
        for (let i = firstA; i < firstA + countA; i++) {
          for (let j = firstB; j < firstB + countB; j++) {
            if (!boxesMeet(a.corners, 9 * i, b.carried, 9 * j)) continue
            if (!trianglesMeet(a.corners, 9 * i, b.carried, 9 * j)) continue
            this.pairs++
            found.push(contactOf(a.corners, 9 * i, b.carried, 9 * j, poseA))
          }
        }
        return false
      },
    })
    return writeDeepest(found, this.contacts)
  }
}

const [_bToA, _poseB] = [new Matrix4(), new Matrix4()]

interface TreeOfMesh {
  tree: MeshBVH
  /** Nine numbers for each triangle, in the tree's order, and where they are in A's frame. */
  corners: Float64Array
  carried: Float64Array
  bytes: number
}

function treeOf({ positions, triangles }: TriangleMesh): TreeOfMesh {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3))
  geometry.setIndex(new BufferAttribute(Uint32Array.from(triangles), 1))
  const tree = new MeshBVH(geometry, { strategy: SAH, targetLeafSize: LEAF_SIZE })
  // The tree has put the triangles into its own order.
  const index = geometry.index!.array
  const corners = Float64Array.from(
    { length: 3 * index.length },
    (_, at) => positions[3 * index[Math.trunc(at / 3)] + (at % 3)],
  )
  const roots = (tree as unknown as { _roots: ArrayBuffer[] })._roots
  const nodes = roots.reduce((sum, root) => sum + root.byteLength, 0)
  return { tree, corners, carried: corners.slice(), bytes: nodes + index.byteLength + 2 * corners.byteLength }
}

function carryCorners(from: Float64Array, frame: readonly number[], out: Float64Array): void {
  for (let at = 0; at < from.length; at += 3) {
    const [x, y, z] = [from[at], from[at + 1], from[at + 2]]
    out[at] = frame[0] * x + frame[4] * y + frame[8] * z + frame[12]
    out[at + 1] = frame[1] * x + frame[5] * y + frame[9] * z + frame[13]
    out[at + 2] = frame[2] * x + frame[6] * y + frame[10] * z + frame[14]
  }
}

function boxesMeet(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    const [a, b, c] = [p[i + k], p[i + 3 + k], p[i + 6 + k]]
    const [d, e, f] = [q[j + k], q[j + 3 + k], q[j + 6 + k]]
    if (Math.max(a, b, c) < Math.min(d, e, f) || Math.max(d, e, f) < Math.min(a, b, c)) return false
  }
  return true
}

function contactOf(p: Float64Array, i: number, q: Float64Array, j: number, frame: ArrayLike<number>): FoundContact {
  const [ofP, ofQ] = [deepestBelow(p, i, q, j), deepestBelow(q, j, p, i)]
  const isOfA = ofP.depth <= ofQ.depth
  const { point, outward, depth } = isOfA ? ofP : ofQ
  // Outward of B is towards A.
  const sign = isOfA ? -1 : 1
  const turn = (v: readonly number[], k: number): number => frame[k] * v[0] + frame[4 + k] * v[1] + frame[8 + k] * v[2]
  return {
    point: [0, 1, 2].map((k) => turn(point, k) + frame[12 + k]) as never,
    normal: [0, 1, 2].map((k) => sign * turn(outward, k)) as never,
    ...{ separation: -depth, isOfA },
  }
}

/** The corner of one triangle that is furthest below the plane of another. */
function deepestBelow(p: Float64Array, i: number, q: Float64Array, j: number) {
  const [ux, uy, uz] = [q[j + 3] - q[j], q[j + 4] - q[j + 1], q[j + 5] - q[j + 2]]
  const [vx, vy, vz] = [q[j + 6] - q[j], q[j + 7] - q[j + 1], q[j + 8] - q[j + 2]]
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const size = Math.hypot(nx, ny, nz)
  let [depth, at] = [-Infinity, i]
  for (let corner = i; corner < i + 9; corner += 3) {
    const below = ((q[j] - p[corner]) * nx + (q[j + 1] - p[corner + 1]) * ny + (q[j + 2] - p[corner + 2]) * nz) / size
    if (below > depth) [depth, at] = [below, corner]
  }
  return { point: [p[at], p[at + 1], p[at + 2]], outward: [nx / size, ny / size, nz / size], depth }
}
