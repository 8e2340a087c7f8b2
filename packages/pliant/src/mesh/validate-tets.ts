/** What can be wrong with a body of tetrahedra, each with its place: the counterpart of validate.ts for surfaces. */
import { countFaces, type TetMesh, tetVolume } from './tet-mesh.js'

/** One thing that is wrong with a body of tetrahedra. */
export interface TetIssue {
  /** What is wrong. */
  kind:
    | 'bad-length'
    | 'index-out-of-range'
    | 'position-not-finite'
    | 'repeated-node'
    | 'degenerate'
    | 'inverted'
    | 'crowded-face'
    | 'unreferenced-node'
    | 'several-bodies'
  /** An error makes simulation impossible; a warning may be meant. */
  severity: 'error' | 'warning'
  /** How many tetrahedra (or nodes, faces, bodies) are concerned. */
  count: number
  /** The first few of them: tetrahedra, or nodes for `position-not-finite` and `unreferenced-node`. */
  at: number[]
  /** One line. */
  message: string
}

/** What `validateTets` calls flat. */
export interface TetValidateOptions {
  /** A tetrahedron with less than this part of the volume of the regular one with its longest edge is degenerate. */
  flatness?: number
}
/** What `validateTets` takes where nothing else is said. */
export const TET_VALIDATE_DEFAULTS = { flatness: 1e-6 } as const

/** How many places an issue names. */
const PLACES = 8

/**
 * What is wrong with a body of tetrahedra; empty when nothing is. Broken indices or positions end the search,
 * because nothing else can be worked out.
 */
export function validateTets(mesh: TetMesh, options: TetValidateOptions = {}): TetIssue[] {
  const flatness = options.flatness ?? TET_VALIDATE_DEFAULTS.flatness
  const { positions, tetrahedra } = mesh
  const nodes = positions.length / 3
  const issues: TetIssue[] = []
  const report = (kind: TetIssue['kind'], severity: TetIssue['severity'], places: number[], text: string) => {
    if (places.length === 0) return
    const at = places.slice(0, PLACES)
    const list = `${at.join(', ')}${places.length > PLACES ? ', ...' : ''}`
    issues.push({
      kind,
      severity,
      count: places.length,
      at,
      message: `tetrahedra: ${places.length} ${text}: ${list}`,
    })
  }
  if (positions.length % 3 !== 0 || tetrahedra.length % 4 !== 0) {
    report('bad-length', 'error', [positions.length, tetrahedra.length], 'array lengths that are not of 3 and 4')
    return issues
  }
  const badIndex = tetsWhere(mesh, (corners) => corners.some((node) => node >= nodes))
  report('index-out-of-range', 'error', badIndex, `refer to nodes that are not there (there are ${nodes})`)
  if (badIndex.length > 0) return issues

  const notFinite: number[] = []
  for (let node = 0; node < nodes; node++) {
    const sum = positions[3 * node] + positions[3 * node + 1] + positions[3 * node + 2]
    if (!Number.isFinite(sum)) notFinite.push(node)
  }
  report('position-not-finite', 'error', notFinite, 'nodes have positions that are not finite')
  if (notFinite.length > 0) return issues

  const repeated = tetsWhere(mesh, (corners) => new Set(corners).size < 4)
  report('repeated-node', 'error', repeated, 'use one node twice')
  const shape = (corners: number[], tet: number) => {
    const edge = longestEdge(positions, corners)
    return tetVolume(mesh, tet) / (edge ** 3 / (6 * Math.SQRT2))
  }
  report(
    'degenerate',
    'error',
    tetsWhere(mesh, (corners, tet) => new Set(corners).size === 4 && !(Math.abs(shape(corners, tet)) >= flatness)),
    'have no volume',
  )
  report(
    'inverted',
    'error',
    tetsWhere(mesh, (corners, tet) => shape(corners, tet) <= -flatness),
    'are inverted',
  )

  const faces = countFaces(mesh)
  const crowded = new Set<number>()
  for (let face = 0; face < tetrahedra.length; face++) {
    if (faces.uses[faces.groupOf[face]] > 2) crowded.add(face >> 2)
  }
  report('crowded-face', 'error', [...crowded], 'share a face with two or more others')

  const used = new Uint8Array(nodes)
  for (const node of tetrahedra) used[node] = 1
  const unreferenced: number[] = []
  for (let node = 0; node < nodes; node++) if (used[node] === 0) unreferenced.push(node)
  report('unreferenced-node', 'warning', unreferenced, 'nodes belong to no tetrahedron')

  const bodies = bodiesOfTets(mesh)
  if (bodies.count > 1) {
    report('several-bodies', 'warning', bodies.firstTet, 'separate bodies, which begin at tetrahedra')
  }
  return issues
}

export interface TetBodies {
  count: number
  /** For each tetrahedron its body, counted from 0. */
  bodyOf: Uint32Array
  /** For each body its first tetrahedron. */
  firstTet: number[]
}

/** Which tetrahedra hang together through shared nodes. */
export function bodiesOfTets(mesh: TetMesh): TetBodies {
  const { tetrahedra } = mesh
  const parent = Uint32Array.from({ length: mesh.positions.length / 3 }, (_, node) => node)
  const root = (node: number): number => {
    let top = node
    while (parent[top] !== top) {
      parent[top] = parent[parent[top]]
      top = parent[top]
    }
    return top
  }
  for (let i = 0; i < tetrahedra.length; i++) parent[root(tetrahedra[i])] = root(tetrahedra[i & ~3])
  const numbers = new Map<number, number>()
  const bodyOf = new Uint32Array(tetrahedra.length / 4)
  const firstTet: number[] = []
  for (let tet = 0; tet < bodyOf.length; tet++) {
    const top = root(tetrahedra[4 * tet])
    if (!numbers.has(top)) {
      numbers.set(top, numbers.size)
      firstTet.push(tet)
    }
    bodyOf[tet] = numbers.get(top)!
  }
  return { count: numbers.size, bodyOf, firstTet }
}

function tetsWhere(mesh: TetMesh, wrong: (corners: number[], tet: number) => boolean): number[] {
  const found: number[] = []
  const corners = [0, 0, 0, 0]
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) {
    for (let k = 0; k < 4; k++) corners[k] = mesh.tetrahedra[4 * tet + k]
    if (wrong(corners, tet)) found.push(tet)
  }
  return found
}

function longestEdge(positions: Float64Array, corners: number[]): number {
  let longest = 0
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      const a = 3 * corners[i]
      const b = 3 * corners[j]
      const dx = positions[a] - positions[b]
      const dy = positions[a + 1] - positions[b + 1]
      const dz = positions[a + 2] - positions[b + 2]
      longest = Math.max(longest, Math.hypot(dx, dy, dz))
    }
  }
  return longest
}
