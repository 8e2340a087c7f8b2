/**
 * A closed surface filled with tetrahedra for simulation: isosurface stuffing (stuff.ts) on a lattice as fine as the
 * surface is to be, then fewer nodes inside (coarsen.ts). All nodes of the result's surface lie on the given one.
 */
import {
  bodiesOfTets,
  boxDiagonal,
  dropUnusedNodes,
  meshBox,
  meshVolume,
  requireValidMesh,
  surfaceOfTets,
  type TetMesh,
  type TriangleMesh,
  tetVolume,
  validateMesh,
} from 'pliant'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { type BodyReport, describeBody } from './body-report.js'
import { coarsenInside } from './coarsen.js'
import { splitPinches } from './pinches.js'
import type { OntoSurface } from './smooth.js'
import { stuffSurface } from './stuff.js'

export interface TetrahedraliseOptions {
  /** Nodes to aim for. */
  nodes?: number
  /** Triangles of the body's surface to aim for; 1.6 for each node if not given. More for the same nodes: coarser inside. */
  triangles?: number
  /** Leave out nodes inside that the surface does not need. Without it the lattice is even, and only `nodes` counts. */
  coarsen?: boolean
  /** What to do with a surface that passes through itself: refuse it, or fill all that it winds round. */
  selfIntersecting?: 'refuse' | 'fill'
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}
/** The counts of the haptics paper's bunny: 1,883 nodes, 6,726 tetrahedra, 3,122 triangles. */
export const TETRAHEDRALISE_DEFAULTS = { nodes: 1900, coarsen: true, selfIntersecting: 'refuse' } as const

export interface TetrahedraliseReport extends BodyReport {
  /** Side of a lattice cube [m]: nothing thinner is sure to be there. */
  cube: number
  /** Where parts hung together by a node or an edge only: copies of nodes, and tetrahedra taken away. */
  pinches: { split: number; removed: number }
  /** Crumbs that came off, and their share of the volume. */
  dropped: { bodies: number; volume: number }
}

const TRIANGLES_PER_NODE = 1.6
const FEWEST_NODES = 30
const MOST_NODES = 200_000
/** Lattices tried until the counts are met, and how nearly. */
const TRIES = 7
const CLOSE_ENOUGH = 0.01
/** Triangles per area of a cube's side, about: bodies tried had 2.5 to 2.9. Only where the search begins. */
const TRIANGLES_PER_SIDE = 2.7
/** Bodies with less of the volume are crumbs. */
const CRUMB = 0.01

/**
 * @param surface  closed and without self-intersections, facing either way; seams are joined where positions are equal
 * @throws RangeError if the surface is broken, empty, open or passes through itself, if it makes several bodies, or if
 *         `nodes` are too few for it; the signal's reason if it is aborted
 */
export async function tetrahedralise(
  surface: TriangleMesh,
  options: TetrahedraliseOptions = {},
): Promise<{ mesh: TetMesh; report: TetrahedraliseReport }> {
  const { signal, onProgress } = options
  const goal = goalOf(options)
  signal?.throwIfAborted()
  const field = requireSolid(surface, options.selfIntersecting ?? TETRAHEDRALISE_DEFAULTS.selfIntersecting)
  let pauses = 0
  const pause = async (): Promise<void> => {
    onProgress?.(0.8 * (1 - 1 / (1 + ++pauses / 20)))
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
  }
  const { cube, mesh: lattice } = await meetGoal(surface, field, goal, pause)
  const { mesh: whole, split, removed } = splitPinches(lattice)
  const { mesh: body, dropped } = keepOneBody(whole)
  await pause()
  const mesh = coarsenInside(body, goal.coarsen ? goal.nodes : Infinity, { onto: ontoSurface(field) })
  await pause()
  const report = { ...describeBody(mesh, surface, field, cube), cube, pinches: { split, removed }, dropped }
  onProgress?.(1)
  return { mesh, report }
}

interface Goal {
  nodes: number
  triangles: number
  coarsen: boolean
}

function goalOf(options: TetrahedraliseOptions): Goal {
  const nodes = options.nodes ?? TETRAHEDRALISE_DEFAULTS.nodes
  const triangles = options.triangles ?? TRIANGLES_PER_NODE * nodes
  if (!(nodes >= FEWEST_NODES && nodes <= MOST_NODES)) {
    throw new RangeError(`tetrahedralise: nodes is ${nodes}; choose from ${FEWEST_NODES} to ${MOST_NODES}.`)
  }
  // A closed surface of n vertices and no handles has 2n - 4 triangles.
  if (!(triangles > 0 && triangles <= 2 * nodes)) {
    throw new RangeError(`tetrahedralise: triangles is ${triangles}; ${nodes} nodes can have up to ${2 * nodes}.`)
  }
  return { nodes, triangles, coarsen: options.coarsen ?? TETRAHEDRALISE_DEFAULTS.coarsen }
}

/** @throws RangeError saying why the surface has no inside to fill */
function requireSolid(surface: TriangleMesh, selfIntersecting: 'refuse' | 'fill'): ExactMeshField {
  requireValidMesh(surface, 'tetrahedralise')
  const field = new ExactMeshField(surface)
  if (!field.closed) {
    const issue = validateMesh(surface).find(({ kind }) => kind === 'open-boundary' || kind === 'inconsistent-winding')
    throw new RangeError(`tetrahedralise: ${issue?.message ?? 'the surface is not closed'}; close it first.`)
  }
  const diagonal = boxDiagonal(meshBox(surface))
  if (!(Math.abs(meshVolume(surface)) > 1e-9 * diagonal ** 3)) {
    throw new RangeError('tetrahedralise: the surface is closed but encloses nothing; pass a body with some volume.')
  }
  if (selfIntersecting === 'refuse') {
    const { pairs } = new SelfIntersection(surface, { weld: true }).pairs()
    if (pairs.length > 0) {
      throw new RangeError(
        `tetrahedralise: the surface passes through itself (${pairs.length / 2} pairs of triangles, first ${pairs[0]} ` +
          `and ${pairs[1]}); repair it, or pass selfIntersecting: 'fill' to fill all that it winds round.`,
      )
    }
  }
  return field
}

/** The coarsest lattice with enough triangles, and enough nodes; of those tried, the one that comes nearest. */
async function meetGoal(
  surface: TriangleMesh,
  field: ExactMeshField,
  goal: Goal,
  pause: () => Promise<void>,
): Promise<{ cube: number; mesh: TetMesh }> {
  const box = meshBox(surface)
  let cube = Math.sqrt((TRIANGLES_PER_SIDE * areaOf(surface)) / (goal.coarsen ? goal.triangles : goal.nodes))
  cube = Math.min(cube, boxDiagonal(box) / 4)
  let best: { cube: number; mesh: TetMesh; miss: number } | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const { mesh } = await stuffSurface(field, box, cube, pause)
    const met = mesh.tetrahedra.length === 0 ? 0 : shareMet(mesh, goal)
    const miss = Math.abs(Math.log(met))
    if (met > 0 && miss < (best?.miss ?? Infinity)) best = { cube, mesh, miss }
    if (miss < CLOSE_ENOUGH) break
    // Triangles go with the square of the fineness, nodes with a little more.
    cube *= met > 0 ? met ** (goal.coarsen ? 0.5 : 0.4) : 0.6
  }
  if (!best) {
    throw new RangeError(`tetrahedralise: the body is too thin for ${goal.nodes} nodes; choose more nodes.`)
  }
  return best
}

/** Below 1 where the lattice is too coarse. Thin bodies have few nodes for their triangles: then nodes decide. */
function shareMet(mesh: TetMesh, goal: Goal): number {
  const nodes = mesh.positions.length / 3 / goal.nodes
  return goal.coarsen ? Math.min(surfaceOfTets(mesh).triangles.length / 3 / goal.triangles, nodes) : nodes
}

function keepOneBody(mesh: TetMesh): { mesh: TetMesh; dropped: TetrahedraliseReport['dropped'] } {
  const { count, bodyOf } = bodiesOfTets(mesh)
  const volumes = new Float64Array(count)
  for (let tet = 0; tet < bodyOf.length; tet++) volumes[bodyOf[tet]] += tetVolume(mesh, tet)
  const total = volumes.reduce((sum, volume) => sum + volume, 0)
  const largest = volumes.indexOf(Math.max(...volumes))
  const others = volumes.filter((volume, body) => body !== largest && volume > CRUMB * total).length
  if (others > 0) {
    throw new RangeError(
      `tetrahedralise: the surface makes ${others + 1} bodies; pass them one by one, or choose more nodes if a thin ` +
        'part between them was lost.',
    )
  }
  const kept = { positions: mesh.positions, tetrahedra: mesh.tetrahedra.filter((_, i) => bodyOf[i >> 2] === largest) }
  return {
    mesh: count > 1 ? dropUnusedNodes(kept).mesh : mesh,
    dropped: { bodies: count - 1, volume: 1 - volumes[largest] / total },
  }
}

function ontoSurface(field: ExactMeshField): OntoSurface {
  const found = { distances: new Float64Array(1), closestPoints: new Float64Array(3) }
  return (point) => {
    field.query(point, 1, found)
    point.set(found.closestPoints)
  }
}

function areaOf({ positions: p, triangles }: TriangleMesh): number {
  let area = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]]
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    area += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2
  }
  return area
}
