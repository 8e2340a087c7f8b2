/**
 * A watertight collision surface for a skinned character, posed like the original, whose inside means "inside the body".
 *
 * 1. The surface at rest is split into shells, each turned to face outward (shells.ts). One closed shell is kept as it
 *    is, vertex for vertex.
 * 2. Otherwise inside is where any shell's winding number exceeds one half (inside-shells.ts): overlapping parts become
 *    one body, open cuffs are closed where their own number passes one half. Sheets enclose nothing and are left out.
 * 3. The boundary of that is traced on a grid as a closed manifold (surface-nets.ts); walls of hollows and crumbs are
 *    dropped (outer-pieces.ts), the rest drawn onto the original where it is near and faces the same way.
 * 4. Skin weights are those of the closest point of the original (transfer-weights.ts).
 */
import { boxOfPoints, requireValidMesh } from 'pliant'
import { applyMorphTargets, type Skeleton, type SkinnedSurface, skinLinear, skinMatrices } from 'pliant/character'
import { closestPlaces, drawOntoOriginal } from './draw-onto.js'
import { InsideShells } from './inside-shells.js'
import { findOuterPieces } from './outer-pieces.js'
import { findShells, type Shell } from './shells.js'
import { type NetsMesh, surfaceNets } from './surface-nets.js'
import { bindLike } from './transfer-weights.js'
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
  onProgress?: (fraction: number) => void
}
export const COLLISION_SURFACE_DEFAULTS = { cell: 0.006, mostVertices: 40_000, smallestPiece: 1e-3 } as const

export interface CollisionSurfaceReport {
  method: 'as given' | 'remeshed'
  /** Shells of the original. */
  shells: number
  /** Edges of the original's shells with one triangle. */
  openEdges: number
  /** Triangles of the original that faced inward, or unlike their neighbours. */
  turned: number
  /** Separate closed surfaces of the result. */
  pieces: number
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
  /** From points of the original that can be seen from outside to the result, at rest [m]. */
  maxDeviation: number
  meanDeviation: number
}

/** Nodes of the grid, two bytes each: thin limbs far apart would ask for any number. */
const MOST_NODES = 3e7
/** Points of the original that deviations are measured at. */
const DEVIATION_SAMPLES = 4000

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
    onProgress?.(1)
    return keptAsGiven(surface, shells[0])
  }
  const { solid, sheets } = withoutSheets(shells)
  const body = { positions: rest, triangles: joined(solid) }
  const inside = new InsideShells(rest, solid)
  const isInside = inside.at.bind(inside)
  const area = shells.reduce((sum, shell) => sum + shell.area, 0)
  const cell = cellFor(rest, body.triangles, area, options)

  let pauses = 0
  const pause = async (): Promise<void> => {
    // Two passes over about twice as many cells as vertices; for show only.
    onProgress?.(0.9 * (1 - 1 / (1 + ++pauses / 8)))
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
  }
  const seeds = pointsOnTriangles(rest, body.triangles, cell)
  const nets = await surfaceNets(boxOfPoints(pick(rest, body.triangles)), isInside, seeds, { cell, pause })
  if (nets.triangles.length === 0) {
    throw new RangeError(
      `collision surface: none of ${shells.length} shells encloses anything; close the mesh, or choose other meshes.`,
    )
  }
  await pause()
  drawOntoOriginal(nets, body, isInside, cell)
  await pause()
  const outer = findOuterPieces(nets, options.smallestPiece ?? COLLISION_SURFACE_DEFAULTS.smallestPiece)
  const made = compact(nets, outer.kept)
  const closest = closestPlaces(body, made.positions)
  const samples = placeSamples(visibleSamples(body, isInside, 0.25 * cell, DEVIATION_SAMPLES, 1), rest)
  const { distances, nearest } = distancesTo(nets, samples)
  // Samples that show only in a hollow do not count.
  const deviations = distances.filter((_, i) => outer.kept[nearest[i]] === 1)
  onProgress?.(1)
  return {
    surface: bindLike(surface, made.positions, made.triangles, closest, skeleton.restMatrices),
    report: {
      method: 'remeshed',
      shells: shells.length,
      openEdges: shells.reduce((sum, shell) => sum + shell.openEdges, 0),
      turned: shells.reduce((sum, shell) => sum + shell.turned, 0),
      pieces: outer.pieces,
      dropped: {
        sheets: sheets.length,
        sheetArea: sheets.reduce((sum, sheet) => sum + sheet.area, 0) / area,
        cavities: outer.cavities,
        enclosed: outer.enclosed,
        crumbs: outer.crumbs,
      },
      cell,
      maxDeviation: deviations.reduce((most, d) => Math.max(most, d), 0),
      meanDeviation: deviations.reduce((sum, d) => sum + d, 0) / Math.max(deviations.length, 1),
    },
  }
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
function withoutSheets(shells: Shell[]): { solid: Uint32Array[]; sheets: Shell[] } {
  const area = (some: Shell[]): number => some.reduce((sum, shell) => sum + shell.area, 0)
  const sheets = shells.filter((shell) => shell.sheet)
  if (2 * area(sheets) > area(shells)) {
    return { solid: [joined(shells.map((shell) => shell.triangles))], sheets: [] }
  }
  return { solid: shells.filter((shell) => !shell.sheet).map((shell) => shell.triangles), sheets }
}

function cellFor(
  rest: Float64Array,
  triangles: Uint32Array,
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
  const { lower, upper } = boxOfPoints(pick(rest, triangles))
  const volume = (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2])
  // A plane across the grid passes through up to 1.5 cells for each of its area's, as many vertices.
  return Math.max(share * (upper[1] - lower[1]), Math.sqrt((1.5 * area) / most), Math.cbrt(volume / MOST_NODES))
}

/** Points on all triangles, no further than a cell apart. */
function pointsOnTriangles(p: Float64Array, triangles: Uint32Array, cell: number): Float64Array {
  const points: number[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const side = (u: number, v: number): number => Math.hypot(p[v] - p[u], p[v + 1] - p[u + 1], p[v + 2] - p[u + 2])
    const n = Math.max(1, Math.ceil(Math.max(side(a, b), side(b, c), side(c, a)) / cell))
    for (let i = 0; i <= n; i++) {
      for (let j = 0; i + j <= n; j++) {
        for (let axis = 0; axis < 3; axis++) {
          points.push((i * p[a + axis] + j * p[b + axis] + (n - i - j) * p[c + axis]) / n)
        }
      }
    }
  }
  return Float64Array.from(points)
}

/** The kept triangles, and the vertices that they use. */
function compact(
  { positions, triangles }: NetsMesh,
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

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** Coordinates of the vertices that triangles use. */
function pick(p: Float64Array, triangles: Uint32Array): Float64Array {
  const out = new Float64Array(3 * triangles.length)
  triangles.forEach((v, i) => {
    out.set(p.subarray(3 * v, 3 * v + 3), 3 * i)
  })
  return out
}
