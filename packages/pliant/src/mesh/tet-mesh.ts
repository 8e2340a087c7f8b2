/**
 * Bodies of tetrahedra and their surface; validate-tets.ts says what can be wrong with them. A tetrahedron a, b, c, d has positive volume
 * when d lies on the side of triangle abc to which its right-handed normal points.
 */
import type { TriangleMesh } from './triangle-mesh.js'

/**
 * A body of tetrahedra. A tetrahedron a, b, c, d has positive volume when d lies on the side of the triangle abc to
 * which its right-handed normal points.
 */
export interface TetMesh {
  /** Node positions [m], xyz triples. */
  positions: Float64Array
  /** Node indices, four per tetrahedron. */
  tetrahedra: Uint32Array
}

/** The surface of a body of tetrahedra, and which nodes it is made of. */
export interface TetSurface extends TriangleMesh {
  /** Positions [m] of the nodes on the surface only. */
  positions: Float64Array
  /** For each vertex of the surface, its node. */
  nodeOfVertex: Uint32Array
  /** For each node, its vertex on the surface, or -1 inside. */
  vertexOfNode: Int32Array
  /** For each triangle, the tetrahedron behind it. */
  tetOfTriangle: Uint32Array
}

/** The faces of a tetrahedron as its corners, counter-clockwise from outside when the volume is positive. */
const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
] as const

/** Signed volume [m^3] of one tetrahedron. */
export function tetVolume(mesh: TetMesh, tet: number): number {
  const { positions: p, tetrahedra: t } = mesh
  const a = 3 * t[4 * tet]
  const b = 3 * t[4 * tet + 1]
  const c = 3 * t[4 * tet + 2]
  const d = 3 * t[4 * tet + 3]
  const ux = p[b] - p[a]
  const uy = p[b + 1] - p[a + 1]
  const uz = p[b + 2] - p[a + 2]
  const vx = p[c] - p[a]
  const vy = p[c + 1] - p[a + 1]
  const vz = p[c + 2] - p[a + 2]
  const wx = p[d] - p[a]
  const wy = p[d + 1] - p[a + 1]
  const wz = p[d + 2] - p[a + 2]
  return (wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx)) / 6
}

/**
 * The mesh with its corners in the order in which most volumes are positive: programs differ in the order they write,
 * so when more volumes are negative than positive, every tetrahedron is turned round (a copy), the good ones too.
 */
export function orientTets(mesh: TetMesh): TetMesh {
  const count = mesh.tetrahedra.length / 4
  let negative = 0
  let positive = 0
  for (let tet = 0; tet < count; tet++) {
    const volume = tetVolume(mesh, tet)
    if (volume < 0) negative++
    else if (volume > 0) positive++
  }
  if (negative <= positive) return mesh
  const tetrahedra = mesh.tetrahedra.slice()
  for (let i = 0; i < tetrahedra.length; i += 4) {
    const c = tetrahedra[i + 2]
    tetrahedra[i + 2] = tetrahedra[i + 3]
    tetrahedra[i + 3] = c
  }
  return { positions: mesh.positions, tetrahedra }
}

/**
 * The surface of a body of tetrahedra. The triangles that belong to one tetrahedron only, counter-clockwise from
 * outside (an inverted tetrahedron's faces are turned by its own sign), with vertices numbered in the order of their
 * nodes.
 */
export function surfaceOfTets(mesh: TetMesh): TetSurface {
  const { positions, tetrahedra } = mesh
  const faces = countFaces(mesh)
  const nodes = positions.length / 3
  const outer: number[] = []
  const tetOf: number[] = []
  const vertexOfNode = new Int32Array(nodes).fill(-1)
  for (let face = 0; face < tetrahedra.length; face++) {
    if (faces.uses[faces.groupOf[face]] !== 1) continue
    const tet = face >> 2
    const corners = FACES[face & 3]
    const i = tetrahedra[4 * tet + corners[0]]
    const j = tetrahedra[4 * tet + corners[1]]
    const k = tetrahedra[4 * tet + corners[2]]
    if (tetVolume(mesh, tet) < 0) outer.push(i, k, j)
    else outer.push(i, j, k)
    tetOf.push(tet)
    vertexOfNode[i] = vertexOfNode[j] = vertexOfNode[k] = 0
  }
  const nodeOfVertex: number[] = []
  for (let node = 0; node < nodes; node++) {
    if (vertexOfNode[node] === 0) vertexOfNode[node] = nodeOfVertex.push(node) - 1
  }
  const surface = new Float64Array(3 * nodeOfVertex.length)
  for (let i = 0; i < surface.length; i++) surface[i] = positions[3 * nodeOfVertex[Math.floor(i / 3)] + (i % 3)]
  return {
    positions: surface,
    triangles: Uint32Array.from(outer, (node) => vertexOfNode[node]),
    nodeOfVertex: Uint32Array.from(nodeOfVertex),
    vertexOfNode,
    tetOfTriangle: Uint32Array.from(tetOf),
  }
}

/** The mesh without the nodes that no tetrahedron uses, which would make a stiffness matrix singular. */
export function dropUnusedNodes(mesh: TetMesh): { mesh: TetMesh; nodeOf: Uint32Array } {
  const nodes = mesh.positions.length / 3
  const renumbered = new Uint32Array(nodes)
  for (const node of mesh.tetrahedra) renumbered[node] = 1
  const kept: number[] = []
  for (let node = 0; node < nodes; node++) if (renumbered[node] === 1) renumbered[node] = kept.push(node) - 1
  const positions = new Float64Array(3 * kept.length)
  for (let i = 0; i < positions.length; i++) positions[i] = mesh.positions[3 * kept[Math.floor(i / 3)] + (i % 3)]
  return {
    mesh: { positions, tetrahedra: mesh.tetrahedra.map((node) => renumbered[node]) },
    nodeOf: Uint32Array.from(kept),
  }
}

/**
 * Groups the faces 4 * tet + k of all tetrahedra by their three nodes, whatever their order.
 * `uses[groupOf[face]]` is the number of tetrahedra with that face.
 */
export function countFaces(mesh: TetMesh): { groupOf: Uint32Array; uses: Uint32Array } {
  const { tetrahedra } = mesh
  const count = tetrahedra.length
  let capacity = 16
  while (capacity < 2 * count) capacity *= 2
  // Slots hold a face plus one; the group is named after the first face that fell into it.
  const slots = new Uint32Array(capacity)
  const sorted = new Uint32Array(3 * count)
  const groupOf = new Uint32Array(count)
  const uses = new Uint32Array(count)
  for (let face = 0; face < count; face++) {
    const corners = FACES[face & 3]
    const base = face & ~3
    const a = tetrahedra[base + corners[0]]
    const b = tetrahedra[base + corners[1]]
    const c = tetrahedra[base + corners[2]]
    const low = Math.min(a, b, c)
    const high = Math.max(a, b, c)
    // The middle one is what the sum leaves over; doubles hold the sum exactly.
    const middle = a + b + c - low - high
    sorted[3 * face] = low
    sorted[3 * face + 1] = middle
    sorted[3 * face + 2] = high
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca6b) ^ Math.imul(high, 0xc2b2ae35)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    let slot = (hash ^ (hash >>> 13)) & (capacity - 1)
    for (; slots[slot] !== 0; slot = (slot + 1) & (capacity - 1)) {
      const other = 3 * (slots[slot] - 1)
      if (sorted[other] === low && sorted[other + 1] === middle && sorted[other + 2] === high) break
    }
    if (slots[slot] === 0) slots[slot] = face + 1
    groupOf[face] = slots[slot] - 1
    uses[groupOf[face]]++
  }
  return { groupOf, uses }
}
