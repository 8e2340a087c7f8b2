/**
 * A watertight collision surface for a skinned character, posed like the original, whose inside means "inside the body".
 *
 * 1. The surface at rest is split into shells, each turned to face outward (shells.ts). One closed shell is kept as it
 *    is, vertex for vertex.
 * 2. Otherwise inside is where any shell's winding number exceeds one half (inside-shells.ts): open cuffs are closed where
 *    their own number passes one half. Sheets enclose nothing and are left out. Shells that touch and move alike become
 *    one body; those that move apart stay bodies of their own, which may overlap (shell-groups.ts).
 * 3. The boundary of each is traced on a grid as a closed manifold (surface-nets.ts); walls of hollows, crumbs and what
 *    lies wholly inside another are dropped (outer-pieces.ts), the rest drawn onto the original where it is near and
 *    faces the same way.
 * 4. Skin weights are those of the closest point of the original (transfer-weights.ts).
 */
import { boxOfPoints } from 'pliant'
import type { Skeleton, SkinnedSurface } from 'pliant/character'
import {
  applyMorphTargets,
  firstAtSamePlace,
  joinedArrays,
  meshVolume,
  type OnProgress,
  requireValidMesh,
  skinLinear,
  skinMatrices,
} from 'pliant/unstable'
import { SHAPE_SEED } from '../streams/random-streams.js'
import { closestPlaces, drawOntoOriginal, type SolidMesh } from './draw-onto.js'
import { InsideShells } from './inside-shells.js'
import { findOuterPieces, type OuterPieces } from './outer-pieces.js'
import { groupShells } from './shell-groups.js'
import { findShells, type Shell } from './shells.js'
import { surfaceNets } from './surface-nets.js'
import { bindLike, type SurfacePlaces } from './transfer-weights.js'
import { pick, pointsOnTriangles } from './triangle-points.js'
import { distancesTo, placeSamples, visibleSamples } from './visible-samples.js'

export interface CollisionSurfaceOptions {
  /** Side of a grid cell as a share of the height. Larger cells are taken where `mostVertices` asks for it. */
  cell?: number
  /** Vertices to stay near or below. */
  mostVertices?: number
  /** Pieces with less than this share of the body's volume are dropped. */
  smallestPiece?: number
  /** Remesh even one closed shell, to be rid of its self-intersections. */
  always?: boolean
  signal?: AbortSignal
  onProgress?: OnProgress
}
export const COLLISION_SURFACE_DEFAULTS = { cell: 0.006, mostVertices: 40_000, smallestPiece: 1e-4 } as const

/** How one closed surface was made of a character's meshes. */
export interface CollisionSurfaceReport {
  /** Whether the one mesh was kept, or a surface was traced around it. */
  method: 'as given' | 'remeshed'
  /** Shells of the original. */
  shells: number
  /** Those of them that are closed and kept vertex for vertex. */
  asGiven: number
  /** Edges of the original's shells with one triangle. */
  openEdges: number
  /** Triangles of the original that faced inward, or unlike their neighbours. */
  turned: number
  /** Separate closed surfaces of the result. */
  pieces: number
  /** What is left out. */
  dropped: {
    /** Sheets of the original that enclose nothing, such as capes and hair cards, and their share of its area. */
    sheets: number
    sheetArea: number
    /** Walls of hollows, pieces inside those, and crumbs, of the traced surface. */
    cavities: number
    enclosed: number
    crumbs: number
  }
  /** Side of a grid cell [m]; 0 if kept as given. */
  cell: number
  /** Largest distance from points of the original that can be seen from outside to the result, at rest [m]. */
  maxDeviation: number
  /** Their mean distance [m]. */
  meanDeviation: number
}

/** Nodes of the grid, two bytes each: thin limbs far apart would ask for any number. */
const MOST_NODES = 3e7
/** Points of the original that deviations are measured at. */
const DEVIATION_SAMPLES = 4000
/** What `onProgress` is told that it does. */
const CLOSING = 'closing the surface'

/**
 * @param surface   any skinned surface; at rest (morph targets too) it should not meet itself more than it must
 * @param skeleton  whose rest pose it is judged in
 * @throws RangeError if the surface is broken, or nothing of it has an inside; the signal's reason if it is aborted
 */
export async function makeCollisionSurface(
  surface: SkinnedSurface,
  skeleton: Skeleton,
  options: CollisionSurfaceOptions = {},
): Promise<{ surface: SkinnedSurface; report: CollisionSurfaceReport }> {
  const { signal, onProgress } = options
  signal?.throwIfAborted()
  const rest = restPositions(surface, skeleton)
  requireValidMesh({ positions: rest, triangles: surface.triangles }, 'collision surface')
  const shells = findShells(rest, surface.triangles)
  if (shells.length === 1 && shells[0].openEdges === 0 && shells[0].crowdedEdges === 0 && !options.always) {
    onProgress?.({ fraction: 1, stage: CLOSING })
    return keptAsGiven(surface, shells[0])
  }
  const { closed, open, openArea, sheets } = sortShells(shells, options.always ?? false)
  const area = shells.reduce((sum, shell) => sum + shell.area, 0)
  const cell = cellFor(rest, open, openArea, options)

  let pauses = 0
  const pause = async (): Promise<void> => {
    // Two passes over about twice as many cells as vertices; for show only.
    onProgress?.({ fraction: 0.9 * (1 - 1 / (1 + ++pauses / 8)), stage: CLOSING })
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
  }
  const bodies = closed.map((triangles) => asGiven(rest, triangles))
  for (const group of groupShells(surface, rest, open, cell)) bodies.push(await traced(rest, group, cell, pause))
  const volume = bodies.reduce((sum, { mesh }) => sum + Math.max(0, meshVolume(mesh)), 0)
  if (!(volume > 0)) {
    throw new RangeError(
      `collision surface: none of ${shells.length} shells encloses anything; close the mesh, or choose other meshes.`,
    )
  }
  const smallest = volume * (options.smallestPiece ?? COLLISION_SURFACE_DEFAULTS.smallestPiece)
  const outer = bodies.map(({ mesh }) => findOuterPieces(mesh, smallest))
  const covered = leaveOutCovered(bodies, outer)
  await pause()
  const made = bodies.map(({ mesh, original }, b) => {
    const { positions, triangles } = compact(mesh, outer[b].kept)
    return { positions, triangles, places: closestPlaces(original, positions) }
  })
  const solid = [...closed, ...open]
  const body = { positions: rest, triangles: joinedArrays(Uint32Array, solid, (shell) => shell) }
  const inside = new InsideShells(rest, solid)
  const samples = visibleSamples(body, inside.at.bind(inside), 0.25 * cell, DEVIATION_SAMPLES, SHAPE_SEED)
  const { distances, nearest } = distancesTo(joinedMeshes(bodies.map(({ mesh }) => mesh)), placeSamples(samples, rest))
  // Samples that show only in a hollow do not count.
  const kept = outer.flatMap((pieces) => [...pieces.kept])
  const deviations = distances.filter((_, i) => kept[nearest[i]] === 1)
  const sum = (count: (pieces: OuterPieces) => number): number => outer.reduce((total, each) => total + count(each), 0)
  onProgress?.({ fraction: 1, stage: CLOSING })
  const { positions, triangles } = joinedMeshes(made)
  return {
    surface: bindLike(
      surface,
      positions,
      triangles,
      joinedPlaces(made.map(({ places }) => places)),
      skeleton.restMatrices,
    ),
    report: {
      method: open.length > 0 ? 'remeshed' : 'as given',
      shells: shells.length,
      asGiven: closed.length,
      openEdges: shells.reduce((total, shell) => total + shell.openEdges, 0),
      turned: shells.reduce((total, shell) => total + shell.turned, 0),
      pieces: sum(({ pieces }) => pieces),
      dropped: {
        sheets: sheets.length,
        sheetArea: sheets.reduce((total, sheet) => total + sheet.area, 0) / area,
        cavities: sum(({ cavities }) => cavities),
        enclosed: sum(({ enclosed }) => enclosed) + covered,
        crumbs: sum(({ crumbs }) => crumbs),
      },
      cell: open.length > 0 ? cell : 0,
      maxDeviation: deviations.reduce((most, d) => Math.max(most, d), 0),
      meanDeviation: deviations.reduce((total, d) => total + d, 0) / Math.max(deviations.length, 1),
    },
  }
}

/** One closed shell, or several that move alike. */
interface Body {
  mesh: SolidMesh
  original: SolidMesh
}

/** A closed shell; vertices in one place are one, so that it stays closed whatever their weights. */
function asGiven(rest: Float64Array, triangles: Uint32Array): Body {
  const first = firstAtSamePlace(rest)
  const welded = triangles.map((vertex) => first[vertex])
  const isFace = Uint8Array.from({ length: welded.length / 3 }, (_, t) => {
    const [a, b, c] = welded.subarray(3 * t, 3 * t + 3)
    return a !== b && b !== c && c !== a ? 1 : 0
  })
  return { mesh: compact({ positions: rest, triangles: welded }, isFace), original: { positions: rest, triangles } }
}

/** Open shells, as one closed surface. */
async function traced(
  rest: Float64Array,
  shells: readonly Uint32Array[],
  cell: number,
  pause: () => Promise<void>,
): Promise<Body> {
  const original = { positions: rest, triangles: joinedArrays(Uint32Array, shells, (shell) => shell) }
  const inside = new InsideShells(rest, shells)
  const isInside = inside.at.bind(inside)
  const { points } = pointsOnTriangles(rest, original.triangles, cell)
  const mesh = await surfaceNets(boxOfPoints(pick(rest, original.triangles)), isInside, points, { cell, pause })
  await pause()
  if (mesh.triangles.length > 0) drawOntoOriginal(mesh, original, isInside, cell)
  return { mesh, original }
}

/** Bodies that lie within others at rest with all they have, smallest first, are left out. @returns their pieces */
function leaveOutCovered(bodies: readonly Body[], outer: readonly OuterPieces[]): number {
  const groups = bodies.map(({ mesh }, g) => {
    const own = compact(mesh, outer[g].kept)
    return { g, ...own, volume: meshVolume(own), inside: new InsideShells(own.positions, [own.triangles]) }
  })
  const left = new Set(groups)
  let covered = 0
  for (const group of groups.sort((a, b) => a.volume - b.volume)) {
    const { positions: p, g } = group
    const others = [...left].filter((other) => other !== group)
    let isCovered = p.length > 0
    for (let v = 0; v < p.length && isCovered; v += 3) {
      isCovered = others.some(({ inside }) => inside.at(p[v], p[v + 1], p[v + 2]))
    }
    if (!isCovered) continue
    left.delete(group)
    outer[g].kept.fill(0)
    covered += outer[g].pieces
    outer[g].pieces = 0
  }
  return covered
}

/** Vertices in the root frame at rest, morph targets at their rest weights. */
export function restPositions(surface: SkinnedSurface, skeleton: Skeleton): Float64Array {
  const matrices = new Float64Array(16 * surface.bones.joints.length)
  const positions = new Float64Array(surface.bound.length)
  skinMatrices(surface.bones, skeleton.restMatrices, matrices)
  applyMorphTargets(surface, surface.morphWeights, positions)
  skinLinear(surface, matrices, positions, positions)
  return positions
}

function keptAsGiven(
  surface: SkinnedSurface,
  shell: Shell,
): { surface: SkinnedSurface; report: CollisionSurfaceReport } {
  return {
    // Triangles are in another order once turned; without need, the very same object.
    surface: shell.turned === 0 ? surface : { ...surface, triangles: shell.triangles },
    report: {
      method: 'as given',
      shells: 1,
      asGiven: 1,
      openEdges: 0,
      turned: shell.turned,
      pieces: 1,
      dropped: { sheets: 0, sheetArea: 0, cavities: 0, enclosed: 0, crumbs: 0 },
      cell: 0,
      maxDeviation: 0,
      meanDeviation: 0,
    },
  }
}

/** If most of the area were sheets, the surface is a soup whose triangles enclose something only together. */
function sortShells(
  shells: readonly Shell[],
  isTraced: boolean,
): { closed: Uint32Array[]; open: Uint32Array[]; openArea: number; sheets: Shell[] } {
  const area = (some: readonly Shell[]): number => some.reduce((sum, shell) => sum + shell.area, 0)
  const sheets = shells.filter((shell) => shell.sheet)
  if (2 * area(sheets) > area(shells)) {
    const all = joinedArrays(Uint32Array, shells, (shell) => shell.triangles)
    return { closed: [], open: [all], openArea: area(shells), sheets: [] }
  }
  const isClosed = (shell: Shell): boolean => !isTraced && shell.openEdges === 0 && shell.crowdedEdges === 0
  const closed = shells.filter((shell) => !shell.sheet && isClosed(shell))
  const open = shells.filter((shell) => !shell.sheet && !isClosed(shell))
  const trianglesOf = (some: readonly Shell[]): Uint32Array[] => some.map(({ triangles }) => triangles)
  return { closed: trianglesOf(closed), open: trianglesOf(open), openArea: area(open), sheets }
}

function cellFor(
  rest: Float64Array,
  shells: readonly Uint32Array[],
  area: number,
  { cell, mostVertices }: CollisionSurfaceOptions,
): number {
  const share = cell ?? COLLISION_SURFACE_DEFAULTS.cell
  const most = mostVertices ?? COLLISION_SURFACE_DEFAULTS.mostVertices
  if (!(share > 0 && share < 0.5) || !(most >= 8)) {
    throw new RangeError(
      `collision surface: cell ${share} of the height, ${most} vertices; give a share below 0.5, and 8 or more.`,
    )
  }
  const body = boxOfPoints(rest)
  const height = body.upper[1] - body.lower[1]
  if (shells.length === 0) return share * height
  const triangles = joinedArrays(Uint32Array, shells, (shell) => shell)
  const { lower, upper } = boxOfPoints(pick(rest, triangles))
  const volume = (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2])
  // A plane across the grid passes through up to 1.5 cells for each of its area's, as many vertices.
  return Math.max(share * height, Math.sqrt((1.5 * area) / most), Math.cbrt(volume / MOST_NODES))
}

/** The kept triangles, and the vertices that they use. */
function compact(
  { positions, triangles }: SolidMesh,
  kept: Uint8Array,
): { positions: Float64Array; triangles: Uint32Array } {
  const chosen = triangles.filter((_, k) => kept[Math.trunc(k / 3)] === 1)
  const numbers = new Int32Array(positions.length / 3).fill(-1)
  let count = 0
  for (const v of chosen) if (numbers[v] < 0) numbers[v] = count++
  const own = new Float64Array(3 * count)
  numbers.forEach((number, v) => {
    if (number >= 0) own.set(positions.subarray(3 * v, 3 * v + 3), 3 * number)
  })
  return { positions: own, triangles: chosen.map((v) => numbers[v]) }
}

function joinedMeshes(meshes: readonly SolidMesh[]): SolidMesh {
  const positions = new Float64Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0))
  const triangles = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0))
  let [v, t] = [0, 0]
  for (const mesh of meshes) {
    positions.set(mesh.positions, v)
    triangles.set(
      mesh.triangles.map((vertex) => vertex + v / 3),
      t,
    )
    v += mesh.positions.length
    t += mesh.triangles.length
  }
  return { positions, triangles }
}

function joinedPlaces(places: readonly SurfacePlaces[]): SurfacePlaces {
  return {
    corners: joinedArrays(Uint32Array, places, ({ corners }) => corners),
    shares: joinedArrays(Float64Array, places, ({ shares }) => shares),
  }
}
