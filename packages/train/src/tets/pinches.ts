/**
 * Places where a body hangs together by a node or an edge only: what is thinner than the lattice comes apart there. At
 * such a node each side gets a copy of its own, drawn in a little; at such an edge the thinner side is taken away.
 * The surface is a manifold after that: every edge has two triangles, every vertex one ring of them.
 */

import { surfaceOfTets, type TetMesh } from 'pliant'
import { bodiesOfTets, countFaces, edgeTable, tetVolume } from 'pliant/unstable'

export interface UnpinchedBody {
  mesh: TetMesh
  /** For each node the one of the input that it was. */
  nodeOf: Uint32Array
  /** Copies made of nodes. */
  split: number
  /** Tetrahedra taken away at edges. */
  removed: number
}

/** How far copies of a node are drawn towards the tetrahedra around them. */
const DRAW_IN = 0.1

export function splitPinches(mesh: TetMesh): UnpinchedBody {
  const count = mesh.tetrahedra.length / 4
  let now = splitNodes(mesh)
  // Each round takes away some tetrahedra, so it ends.
  for (let thin = thinFans(now.mesh); thin.size > 0; thin = thinFans(now.mesh)) {
    const tetrahedra = now.mesh.tetrahedra.filter((_, i) => !thin.has(i >> 2))
    const before = now.nodeOf
    now = splitNodes({ positions: now.mesh.positions, tetrahedra })
    now.nodeOf = now.nodeOf.map((node) => before[node])
  }
  const copies = new Uint32Array(mesh.positions.length / 3)
  for (const node of now.nodeOf) copies[node]++
  drawIn(now.mesh, (node) => copies[now.nodeOf[node]] > 1)
  let split = 0
  for (const n of copies) if (n > 1) split += n - 1
  return { ...now, split, removed: count - now.mesh.tetrahedra.length / 4 }
}

/** Gives every set of tetrahedra that meets at a node, but not through faces, a node of its own; drops unused nodes. */
function splitNodes({ positions, tetrahedra }: TetMesh): { mesh: TetMesh; nodeOf: Uint32Array } {
  const parent = Uint32Array.from({ length: tetrahedra.length }, (_, corner) => corner)
  const root = (corner: number): number => {
    let top = corner
    while (parent[top] !== top) {
      parent[top] = parent[parent[top]]
      top = parent[top]
    }
    return top
  }
  const { groupOf } = countFaces({ positions, tetrahedra })
  for (let face = 0; face < tetrahedra.length; face++) {
    const other = groupOf[face]
    if (other === face) continue
    // Face k lies opposite corner k; its three corners are the same nodes in both tetrahedra.
    for (let i = face & ~3; i < (face & ~3) + 4; i++) {
      if (i === face) continue
      for (let j = other & ~3; j < (other & ~3) + 4; j++) {
        if (tetrahedra[j] === tetrahedra[i]) parent[root(i)] = root(j)
      }
    }
  }
  const numbers = new Int32Array(tetrahedra.length).fill(-1)
  const nodeOf: number[] = []
  const renumbered = tetrahedra.map((node, corner) => {
    const top = root(corner)
    if (numbers[top] < 0) numbers[top] = nodeOf.push(node) - 1
    return numbers[top]
  })
  const places = new Float64Array(3 * nodeOf.length)
  nodeOf.forEach((node, i) => {
    places.set(positions.subarray(3 * node, 3 * node + 3), 3 * i)
  })
  return { mesh: { positions: places, tetrahedra: renumbered }, nodeOf: Uint32Array.from(nodeOf) }
}

/** At every edge with more than two surface triangles: the tetrahedra of all fans but the one of most volume. */
function thinFans(mesh: TetMesh): Set<number> {
  const surface = surfaceOfTets(mesh)
  const edges = edgeTable(surface.triangles, surface.positions.length / 3)
  const thin = new Set<number>()
  for (let edge = 0; edge < edges.edgeCount; edge++) {
    if (edges.forward[edge] + edges.backward[edge] <= 2) continue
    const [a, b] = [0, 1].map((end) => surface.nodeOfVertex[edges.vertices[2 * edge + end]])
    const around = tetsAtEdge(mesh, a, b)
    // Two tetrahedra at an edge belong to one fan if they share a face there: a third node.
    const fans = bodiesOfTets({ positions: mesh.positions, tetrahedra: linksAtEdge(mesh, around, a, b) })
    const volumes = new Float64Array(fans.count)
    around.forEach((tet, i) => {
      volumes[fans.bodyOf[i]] += tetVolume(mesh, tet)
    })
    const thickest = volumes.indexOf(Math.max(...volumes))
    around.forEach((tet, i) => {
      if (fans.bodyOf[i] !== thickest) thin.add(tet)
    })
  }
  return thin
}

function tetsAtEdge({ tetrahedra }: TetMesh, a: number, b: number): number[] {
  const found: number[] = []
  for (let i = 0; i < tetrahedra.length; i += 4) {
    const corners = tetrahedra.subarray(i, i + 4)
    if (corners.includes(a) && corners.includes(b)) found.push(i / 4)
  }
  return found
}

/** The two nodes of each tetrahedron that are not on the edge, each twice: four entries each, as a tetrahedron's. */
function linksAtEdge({ tetrahedra }: TetMesh, tets: number[], a: number, b: number): Uint32Array {
  return Uint32Array.from(
    tets.flatMap((tet) => {
      const [c, d] = tetrahedra.subarray(4 * tet, 4 * tet + 4).filter((node) => node !== a && node !== b)
      return [c, d, c, d]
    }),
  )
}

function drawIn({ positions, tetrahedra }: TetMesh, isCopy: (node: number) => boolean): void {
  const sums = new Map<number, [x: number, y: number, z: number, count: number]>()
  for (let i = 0; i < tetrahedra.length; i++) {
    if (!isCopy(tetrahedra[i])) continue
    const sum = sums.get(tetrahedra[i]) ?? [0, 0, 0, 0]
    sums.set(tetrahedra[i], sum)
    for (let j = i & ~3; j < (i & ~3) + 4; j++) {
      if (j === i) continue
      for (let axis = 0; axis < 3; axis++) sum[axis] += positions[3 * tetrahedra[j] + axis]
      sum[3]++
    }
  }
  for (const [node, sum] of sums) {
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * node + axis] += DRAW_IN * (sum[axis] / sum[3] - positions[3 * node + axis])
    }
  }
}
