/**
 * A closed surface filled with tetrahedra for simulation: isosurface stuffing (stuff.ts) on a lattice finer than asked
 * for, so that thin parts are there, then fewer nodes (coarsen.ts). All nodes of the result's surface lie on the given
 * one.
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
import { type BodyReport, describeBody, shareLost } from './body-report.js'
import { coarsenBody } from './coarsen.js'
import { splitPinches } from './pinches.js'
import type { OntoSurface } from './smooth.js'
import { stuffSurface } from './stuff.js'

export interface TetrahedraliseOptions {
  /** Nodes to aim for. */
  nodes?: number
  /** Triangles of the body's surface to aim for; 1.6 for each node if not given. More for the same nodes: coarser inside. */
  triangles?: number
  /** What to do with a surface that passes through itself: refuse it, or fill all that it winds round. */
  selfIntersecting?: 'refuse' | 'fill'
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}
/** The counts of the haptics paper's bunny: 1,883 nodes, 6,726 tetrahedra, 3,122 triangles. */
export const TETRAHEDRALISE_DEFAULTS = { nodes: 1900, selfIntersecting: 'refuse' } as const

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
/** Triangles per area of a cube's side, about: bodies tried had 2.5 to 2.9. */
const TRIANGLES_PER_SIDE = 2.7
/** Triangles of the lattice for each one asked for: 1.7 halves the distance from the surface against 1. */
const FINER = 1.7
/** Lattices tried, each this much finer than the one before, until nothing is lost to speak of. */
const TRIES = 6
const STEP = 0.75
/** Share of the surface that may be further than half a cube from the lattice body. */
const MOST_LOST = 0.001
/** A lattice with more nodes than this many times those asked for is not refined for lost parts. */
const MOST_EXCESS = 12
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
  const lattice = await fineEnough(surface, field, goal, pause)
  const report = (mesh: TetMesh): TetrahedraliseReport => {
    const { cube, pinches, dropped } = lattice
    return { ...describeBody(mesh, surface, field, cube), cube, pinches, dropped }
  }
  const onto = ontoSurface(field)
  let mesh = coarsenBody(lattice.mesh, { nodes: goal.nodes, surfaceNodes: goal.triangles / 2 + 2, onto })
  await pause()
  // Far parts can meet where a surface folds back on itself; the lattice's own surface never does.
  if (new SelfIntersection(surfaceOfTets(mesh)).any()) {
    mesh = coarsenBody(lattice.mesh, { nodes: goal.nodes, surfaceNodes: Infinity })
  }
  const result = { mesh, report: report(mesh) }
  onProgress?.(1)
  return result
}

interface Goal {
  nodes: number
  triangles: number
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
  return { nodes, triangles }
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

interface LatticeBody extends Pick<TetrahedraliseReport, 'cube' | 'pinches' | 'dropped'> {
  mesh: TetMesh
}

/** The first lattice that has enough of everything and loses no part of the surface to speak of, or the finest tried. */
async function fineEnough(
  surface: TriangleMesh,
  field: ExactMeshField,
  goal: Goal,
  pause: () => Promise<void>,
): Promise<LatticeBody> {
  const box = meshBox(surface)
  let cube = Math.sqrt((TRIANGLES_PER_SIDE * areaOf(surface)) / (FINER * goal.triangles))
  cube = Math.min(cube, boxDiagonal(box) / 4)
  for (let tries = 1; ; tries++, cube *= STEP) {
    const { mesh: lattice } = await stuffSurface(field, box, cube, pause)
    const nodes = lattice.positions.length / 3
    const last = tries === TRIES
    if (nodes < goal.nodes && !last) continue
    if (nodes === 0) {
      throw new RangeError(`tetrahedralise: the body is too thin for ${goal.nodes} nodes; choose more nodes.`)
    }
    const { mesh: whole, split, removed } = splitPinches(lattice)
    const mayRefine = !last && nodes * STEP ** -3 < MOST_EXCESS * goal.nodes
    const one = keepOneBody(whole, mayRefine)
    if (!one || (mayRefine && shareLost(one.mesh, surface, cube / 2) > MOST_LOST)) continue
    return { ...one, cube, pinches: { split, removed } }
  }
}

/** The body without crumbs; where there are several, undefined if a finer lattice may join them. */
function keepOneBody(mesh: TetMesh, mayRefine: boolean): Pick<LatticeBody, 'mesh' | 'dropped'> | undefined {
  const { count, bodyOf } = bodiesOfTets(mesh)
  const volumes = new Float64Array(count)
  for (let tet = 0; tet < bodyOf.length; tet++) volumes[bodyOf[tet]] += tetVolume(mesh, tet)
  const total = volumes.reduce((sum, volume) => sum + volume, 0)
  const largest = volumes.indexOf(Math.max(...volumes))
  const others = volumes.filter((volume, body) => body !== largest && volume > CRUMB * total).length
  if (others > 0 && mayRefine) return undefined
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
