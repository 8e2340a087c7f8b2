/**
 * What is wrong with a triangle mesh, and where. Errors make exact geometry meaningless; warnings change what can be
 * promised (an open surface has no inside); information is only said.
 */
import { connectedPieces, edgeTable, isClosed } from './adjacency.js'
import { meshVolume, type TriangleMesh } from './triangle-mesh.js'
import { firstAtSamePlace } from './weld.js'

/** What can be wrong with a surface. */
export type MeshIssueKind =
  | 'no-triangles'
  | 'index-out-of-range'
  | 'position-not-finite'
  | 'degenerate-face'
  | 'duplicate-face'
  | 'open-boundary'
  | 'non-manifold-edge'
  | 'inconsistent-winding'
  | 'inward-orientation'
  | 'unreferenced-vertex'
  | 'unwelded-vertex'
  | 'several-pieces'

/** One thing that is wrong with a surface. */
export interface MeshIssue {
  /** What is wrong. */
  kind: MeshIssueKind
  /** Whether distances are impossible ('error'), doubtful ('warning') or fine ('information'). */
  severity: 'error' | 'warning' | 'information'
  /** How many faces, edges, vertices or pieces are concerned. */
  count: number
  /** One line: what, how many, where. */
  message: string
  /** The first few: triangle numbers for faces and indices, vertex numbers otherwise (two per edge). */
  at: number[]
}

/** How many places an issue names. */
const SHOWN = 8

/**
 * What is wrong with a surface. Everything found, errors first. Edges are judged after welding equal positions, so
 * that a seam is not called a hole. A face is degenerate when two of its corners coincide or its height is below
 * 1e-12 of its longest side.
 */
export function validateMesh(mesh: TriangleMesh): MeshIssue[] {
  const { positions, triangles } = mesh
  const vertices = Math.trunc(positions.length / 3)
  if (triangles.length === 0) {
    return [issue('no-triangles', 'error', 1, 'the mesh has no triangles', [])]
  }
  const broken = brokenValues(mesh, vertices)
  // With broken indices or positions nothing below can be worked out.
  if (broken.length > 0) return broken

  const issues: MeshIssue[] = []
  const weld = firstAtSamePlace(positions)
  issues.push(...badFaces(mesh, weld), ...badEdges(mesh, weld), ...looseVertices(mesh, weld))
  const { pieceCount } = connectedPieces(triangles, vertices, weld)
  if (pieceCount > 1) {
    issues.push(issue('several-pieces', 'information', pieceCount, `${pieceCount} connected pieces`, []))
  }
  return issues
}

/** @throws RangeError naming the first error that `validateMesh` finds; warnings pass. */
export function requireValidMesh(mesh: TriangleMesh, name = 'mesh'): void {
  const { positions, triangles } = mesh
  if (positions.length % 3 !== 0 || triangles.length % 3 !== 0) {
    throw new RangeError(
      `${name}: ${positions.length} coordinates and ${triangles.length} indices are not whole triples; pass three each.`,
    )
  }
  const errors = triangles.length === 0 ? validateMesh(mesh) : brokenValues(mesh, positions.length / 3)
  if (errors.length > 0) {
    throw new RangeError(`${name}: ${errors[0].message}; repair the mesh ('pliant inspect' lists every fault).`)
  }
}

function issue(
  kind: MeshIssueKind,
  severity: MeshIssue['severity'],
  count: number,
  message: string,
  at: number[],
): MeshIssue {
  return { kind, severity, count, message, at }
}

/** Collects how many and the first few, then becomes an issue if there were any. */
class Tally {
  count = 0
  readonly at: number[] = []

  add(...place: number[]): void {
    if (this.count++ < SHOWN) this.at.push(...place)
  }

  issue(kind: MeshIssueKind, severity: MeshIssue['severity'], what: string, unit: string): MeshIssue[] {
    if (this.count === 0) return []
    const perPlace = unit === 'edges' ? 2 : 1
    const places = Array.from({ length: this.at.length / perPlace }, (_, i) =>
      this.at.slice(perPlace * i, perPlace * (i + 1)).join('-'),
    )
    const more = this.count > places.length ? ', ...' : ''
    return [issue(kind, severity, this.count, `${this.count} ${what} (${unit} ${places.join(', ')}${more})`, this.at)]
  }
}

function brokenValues({ positions, triangles }: TriangleMesh, vertices: number): MeshIssue[] {
  const outside = new Tally()
  for (let i = 0; i < triangles.length; i++) {
    if (triangles[i] >= vertices) outside.add(Math.trunc(i / 3))
  }
  const notFinite = new Tally()
  for (let v = 0; v < vertices; v++) {
    // A sum of three is finite only if all are, short of overflow, which is as useless.
    if (!Number.isFinite(positions[3 * v] + positions[3 * v + 1] + positions[3 * v + 2])) notFinite.add(v)
  }
  return [
    ...outside.issue('index-out-of-range', 'error', `indices beyond the last vertex ${vertices - 1}`, 'triangles'),
    ...notFinite.issue('position-not-finite', 'error', 'vertices with NaN or infinite coordinates', 'vertices'),
  ]
}

function badFaces({ positions: p, triangles }: TriangleMesh, weld: Uint32Array): MeshIssue[] {
  const degenerate = new Tally()
  const duplicate = new Tally()
  const faces = triangles.length / 3
  const size = 2 ** Math.ceil(Math.log2(2 * faces))
  const slots = new Int32Array(size).fill(-1)
  const sorted = new Uint32Array(3 * faces)
  for (let t = 0; t < faces; t++) {
    const a = weld[triangles[3 * t]]
    const b = weld[triangles[3 * t + 1]]
    const c = weld[triangles[3 * t + 2]]
    if (a === b || b === c || c === a || isSliver(p, 3 * a, 3 * b, 3 * c)) degenerate.add(t)

    const low = Math.min(a, b, c)
    const high = Math.max(a, b, c)
    const middle = a + b + c - low - high
    sorted[3 * t] = low
    sorted[3 * t + 1] = middle
    sorted[3 * t + 2] = high
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca6b) ^ Math.imul(high, 0xc2b2ae35)
    hash ^= hash >>> 15
    let slot = hash & (size - 1)
    while (slots[slot] >= 0) {
      const other = 3 * slots[slot]
      if (sorted[other] === low && sorted[other + 1] === middle && sorted[other + 2] === high) break
      slot = (slot + 1) & (size - 1)
    }
    if (slots[slot] >= 0) duplicate.add(t)
    else slots[slot] = t
  }
  return [
    ...degenerate.issue('degenerate-face', 'warning', 'triangles without area', 'triangles'),
    ...duplicate.issue('duplicate-face', 'warning', 'triangles with the corners of an earlier one', 'triangles'),
  ]
}

function isSliver(p: TriangleMesh['positions'], a: number, b: number, c: number): boolean {
  const ux = p[b] - p[a]
  const uy = p[b + 1] - p[a + 1]
  const uz = p[b + 2] - p[a + 2]
  const vx = p[c] - p[a]
  const vy = p[c + 1] - p[a + 1]
  const vz = p[c + 2] - p[a + 2]
  const wx = vx - ux
  const wy = vy - uy
  const wz = vz - uz
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz)
  // Twice the area is longest side times height.
  return Math.sqrt(nx * nx + ny * ny + nz * nz) <= 1e-12 * longest
}

function badEdges(mesh: TriangleMesh, weld: Uint32Array): MeshIssue[] {
  const edges = edgeTable(mesh.triangles, weld.length, weld)
  const open = new Tally()
  const crowded = new Tally()
  const twisted = new Tally()
  for (let edge = 0; edge < edges.edgeCount; edge++) {
    const [low, high] = [edges.vertices[2 * edge], edges.vertices[2 * edge + 1]]
    if (low === high) continue
    const [forward, backward] = [edges.forward[edge], edges.backward[edge]]
    if (forward + backward === 1) open.add(low, high)
    else if (forward + backward > 2) crowded.add(low, high)
    else if (forward !== backward) twisted.add(low, high)
  }
  const issues = [
    ...open.issue('open-boundary', 'warning', 'edges with one triangle: the surface is open', 'edges'),
    ...crowded.issue('non-manifold-edge', 'warning', 'edges with more than two triangles', 'edges'),
    ...twisted.issue('inconsistent-winding', 'warning', 'edges whose two triangles face opposite ways', 'edges'),
  ]
  if (isClosed(edges) && meshVolume(mesh) < 0) {
    issues.push(issue('inward-orientation', 'warning', 1, 'the closed surface faces inward (negative volume)', []))
  }
  return issues
}

function looseVertices({ triangles }: TriangleMesh, weld: Uint32Array): MeshIssue[] {
  const used = new Uint8Array(weld.length)
  for (const v of triangles) used[v] = 1
  const unused = new Tally()
  const unwelded = new Tally()
  for (let v = 0; v < weld.length; v++) {
    if (used[v] === 0) unused.add(v)
    else if (weld[v] !== v && used[weld[v]] === 1) unwelded.add(v)
  }
  return [
    ...unused.issue('unreferenced-vertex', 'warning', 'vertices that no triangle uses', 'vertices'),
    ...unwelded.issue('unwelded-vertex', 'information', 'vertices at the place of an earlier one', 'vertices'),
  ]
}
