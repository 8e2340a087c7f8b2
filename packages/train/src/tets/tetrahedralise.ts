/**
 * A closed surface filled with tetrahedra for simulation: isosurface stuffing (stuff.ts) on a lattice finer than asked
 * for, so that thin parts are there, then fewer nodes (coarsen.ts), and the body's surface laid through the given one
 * (fit-surface.ts). The report says how far the two lie apart.
 */

import { surfaceOfTets, type TetMesh, type TriangleMesh } from 'pliant'
import { type ExactMeshField, SelfIntersection } from 'pliant/exact'
import { bodiesOfTets, boxDiagonal, dropUnusedNodes, meshBox, type OnProgress, tetVolume } from 'pliant/unstable'
import { type BodyReport, describeBody, shareLost } from './body-report.js'
import { coarsenBody } from './coarsen.js'
import { CRUMB, type FillableSurface, requireFillable } from './fillable.js'
import { fitSurface } from './fit-surface.js'
import { splitPinches } from './pinches.js'
import type { OntoSurface } from './smooth.js'
import { stuffSurface } from './stuff.js'
import { surfaceArea } from './surface-area.js'
import { surfacePoints } from './surface-points.js'

export interface TetrahedraliseOptions {
  /**
   * Nodes to aim for. Of several numbers the first whose body lies near enough to the surface (.03% of the diagonal in the
   * mean, .5% at most), or the last.
   */
  nodes?: number | readonly number[]
  /** Triangles of the body's surface to aim for; 1.6 for each node if not given. More for the same nodes: coarser inside. */
  triangles?: number
  /** What to do with a surface that passes through itself: refuse it, or fill all that it winds round. */
  selfIntersecting?: 'refuse' | 'fill'
  signal?: AbortSignal
  /** Asked before the next number of nodes is tried: whether what is there must do. */
  timeIsUp?: () => boolean
  onProgress?: OnProgress
}
/** Tried in turn. The first is that of the haptics paper's bunny: 1,883 nodes, 6,726 tetrahedra, 3,122 triangles. */
export const TETRAHEDRALISE_DEFAULTS = { nodes: [1900, 2700, 3800], selfIntersecting: 'refuse' } as const

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

/** Points of the given surface, for each triangle of the body's, that it is laid through and measured by. */
const POINTS_PER_TRIANGLE = 16
/** How far a body may lie from the given surface before more nodes are tried, mean and largest [% of its diagonal]. */
const NEAR_ENOUGH = { mean: 0.03, max: 0.5 } as const
/** Shares of a try's progress. */
const STEPS = { lattice: [0, 0.35], coarsen: [0.35, 0.8], fit: [0.8, 1] } as const

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
  const goals = [options.nodes ?? TETRAHEDRALISE_DEFAULTS.nodes].flat().map((nodes) => goalOf(nodes, options.triangles))
  signal?.throwIfAborted()
  const fillable = requireFillable(surface, options.selfIntersecting ?? TETRAHEDRALISE_DEFAULTS.selfIntersecting)
  for (const [number, goal] of goals.entries()) {
    // Later tries take longer, but most bodies need none.
    const [begin, end] = [number / goals.length, (number + 1) / goals.length]
    const during: During = (step, fraction) => {
      const [from, to] = STEPS[step]
      onProgress?.({
        fraction: begin + (end - begin) * (from + (to - from) * fraction),
        stage: FILLING,
        detail: `${goal.nodes} nodes: ${STEP_NAMES[step]}`,
      })
      return letOthersIn(signal)
    }
    const result = await fillWith(surface, fillable, goal, during)
    const { meanDistance, maxDistance } = result.report
    const isNear = meanDistance <= NEAR_ENOUGH.mean && maxDistance <= NEAR_ENOUGH.max
    if (number < goals.length - 1 && !isNear && !options.timeIsUp?.()) continue
    onProgress?.({ fraction: 1, stage: FILLING, detail: 'filled' })
    return result
  }
  throw new RangeError('tetrahedralise: no number of nodes was given to try.')
}

const FILLING = 'filling the surface'
type During = (step: keyof typeof STEPS, fraction: number) => Promise<void>
const STEP_NAMES = {
  lattice: 'cutting a lattice',
  coarsen: 'taking nodes out',
  fit: 'laying the surface through',
} as const

async function letOthersIn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  signal?.throwIfAborted()
}

async function fillWith(
  surface: TriangleMesh,
  { field, crossing }: FillableSurface,
  goal: Goal,
  during: During,
): Promise<{ mesh: TetMesh; report: TetrahedraliseReport }> {
  let pauses = 0
  const lattice = await fineEnough(surface, field, goal, () => during('lattice', 1 - 1 / (1 + ++pauses / 20)))
  const points = surfacePoints(surface, POINTS_PER_TRIANGLE * goal.triangles, crossing ? field : undefined)
  const coarse = (surfaceNodes: number, onto?: OntoSurface): Promise<TetMesh> =>
    coarsenBody(lattice.mesh, { nodes: goal.nodes, surfaceNodes, onto, pause: (share) => during('coarsen', share) })
  let coarsened = await coarse(goal.triangles / 2 + 2, ontoSurface(field))
  // Far parts can meet where a surface folds back on itself; the lattice's own surface never does.
  if (new SelfIntersection(surfaceOfTets(coarsened)).any()) coarsened = await coarse(Infinity)
  const mesh = await fitSurface(coarsened, points, field, (share) => during('fit', share))
  const { cube, pinches, dropped } = lattice
  return { mesh, report: { ...describeBody(mesh, surface, points, field, cube), cube, pinches, dropped } }
}

interface Goal {
  nodes: number
  triangles: number
}

function goalOf(nodes: number, triangles = TRIANGLES_PER_NODE * nodes): Goal {
  if (!(nodes >= FEWEST_NODES && nodes <= MOST_NODES)) {
    throw new RangeError(`tetrahedralise: nodes is ${nodes}; choose from ${FEWEST_NODES} to ${MOST_NODES}.`)
  }
  // A closed surface of n vertices and no handles has 2n - 4 triangles.
  if (!(triangles > 0 && triangles <= 2 * nodes)) {
    throw new RangeError(`tetrahedralise: triangles is ${triangles}; ${nodes} nodes can have up to ${2 * nodes}.`)
  }
  return { nodes, triangles }
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
  let cube = Math.sqrt((TRIANGLES_PER_SIDE * surfaceArea(surface)) / (FINER * goal.triangles))
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
    field.closest(point, 1, found)
    point.set(found.closestPoints)
  }
}
