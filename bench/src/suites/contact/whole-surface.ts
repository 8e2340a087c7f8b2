/**
 * Cloth met all over its surface beside cloth met at points (its vertices and the centres of its triangles): what comes
 * through, how deep, and what it costs. A sheet falls on a thin pole, and on the built-in humanoid by its exact distance.
 */
import { findCharacterPreset } from '@pliant/train/unstable'
import { boxOfPoints, type SignedField, type Vec3 } from 'pliant'
import { type MeetsAt, SurfaceMinima } from 'pliant/detect'
import { ExactMeshField } from 'pliant/exact'
import { capsule, fieldOf } from 'pliant/shapes'
import { Cloth, clothGrid } from 'pliant/sim'
import { median } from '../../timing/median.js'
import { stopwatch, timeTurns } from '../../timing/turns.js'

export interface SurfaceFigures {
  contact: MeetsAt
  /** Median of a whole frame [ms]. */
  step: number
  /** Points asked in a frame, mean. */
  queries: number
  /** Least distance of places all over the triangles from the obstacle over all frames [m]; the sheet's thickness is .004. */
  deepest: number
  /** Most triangles that the pole's axis went through at a time; undefined for the humanoid. */
  pierced?: number
}

export interface SurfaceScene {
  name: string
  vertices: number
  frames: number
  /** Side of the squares of the sheet [m]. */
  spacing: number
  rows: SurfaceFigures[]
  /** Of the sheet as it lay now and then: all vertices asked once, with gradients; what is deepest of edges and triangles [ms]. */
  pass: { vertices: number; surface: number; vertexQueries: number; surfaceQueries: number; found: number }
}

export interface WholeSurfaceResult {
  scenes: SurfaceScene[]
}

const FRAME = 1 / 60
const SIDE = 1
/** Radius of the pole [m]: a fifteenth of the side of a square of the quick sheet, a sixth of the full one's. */
const RADIUS = 0.005
/** How near a place is looked at in the pass that is timed [m]: as cloth does at rest. */
const WITHIN = 0.013
/** Places along a side of a triangle that are judged. */
const STEPS = 6
const JUDGED_EVERY = 6
const TIMED_EVERY = 10

/** How large the sheet is, and how long it is looked at. */
interface SheetSize {
  /** Vertices along a side. */
  side: number
  frames: number
  /** How long passes are timed [s]. */
  seconds: number
}

export async function measureWholeSurface(
  size: SheetSize,
  told: (done: number) => Promise<void>,
): Promise<WholeSurfaceResult> {
  await told(0)
  const pole = await sheetOnPole(size)
  await told(1)
  const { field, top } = await humanoid()
  const body = await scene('humanoid', field, top, size)
  await told(2)
  return { scenes: [pole, body] }
}

export async function sheetOnPole(size: SheetSize): Promise<SurfaceScene> {
  // In the middle of a triangle, wherever its square is cut.
  const { side } = size
  const [x, z] = [0.25, 0.4].map((share) => ((share + (side % 2 === 0 ? 0.5 : 0)) * SIDE) / (side - 1))
  const [foot, tip]: Vec3[] = [
    [x, -2, z],
    [x, -RADIUS, z],
  ]
  return scene('thin pole', fieldOf(capsule(foot, tip, RADIUS)), [0, 0.1, 0], size, [foot, tip])
}

async function humanoid(): Promise<{ field: SignedField; top: Vec3 }> {
  const rig = await findCharacterPreset('humanoid')?.make()
  if (!rig) throw new Error('bench contact: there is no built-in humanoid; name the preset that took its place.')
  const { bound: rest, triangles } = rig.surface
  const { lower, upper } = boxOfPoints(rest)
  const field = new ExactMeshField({ positions: rest, triangles })
  return { field, top: [(lower[0] + upper[0]) / 2, upper[1] + 0.02, (lower[2] + upper[2]) / 2] }
}

async function scene(
  name: string,
  field: SignedField,
  centre: Vec3,
  { side, frames, seconds }: SheetSize,
  axis?: readonly Vec3[],
): Promise<SurfaceScene> {
  const mesh = clothGrid(side, side, { size: [SIDE, SIDE], centre })
  const runs = (['points', 'surface'] as const).map((contact) => new Run(new Cloth(mesh, { contact }), axis))
  const kept: Float64Array[] = []
  for (let frame = 0; frame < frames; frame++) {
    for (const run of runs) run.step(field, frame % JUDGED_EVERY === 0)
    if (frame % TIMED_EVERY === TIMED_EVERY - 1) kept.push(runs[1].cloth.positions.slice())
    await new Promise((resolve) => setImmediate(resolve))
  }
  const vertices = side * side
  return {
    name,
    vertices,
    frames,
    spacing: SIDE / (side - 1),
    rows: runs.map((run) => run.figures()),
    pass: timePasses(field, mesh.triangles, kept, vertices, seconds),
  }
}

function timePasses(
  field: SignedField,
  triangles: Uint32Array,
  sheets: readonly Float64Array[],
  vertices: number,
  seconds: number,
): SurfaceScene['pass'] {
  const minima = new SurfaceMinima(triangles, vertices)
  const [distances, gradients] = [new Float64Array(vertices), new Float64Array(3 * vertices)]
  const within = new Float64Array(vertices).fill(WITHIN)
  const frames = sheets.map((x) => {
    const lows = new Float64Array(vertices)
    field.query(x, vertices, lows)
    return { x, lows, found: minima.find(field, x, lows, within), asked: minima.queries }
  })
  const rivals = {
    vertices: (x: Float64Array) => field.query(x, vertices, distances, gradients),
    surface: (x: Float64Array, lows: Float64Array) => void minima.find(field, x, lows, within),
  }
  const { medians } = timeTurns(rivals, frames, seconds, (rival, { x, lows }) => rival(x, lows))
  const mean = (of: (frame: (typeof frames)[number]) => number): number =>
    frames.reduce((sum, frame) => sum + of(frame), 0) / frames.length
  return {
    vertices: medians.vertices / 1000,
    surface: medians.surface / 1000,
    vertexQueries: vertices,
    surfaceQueries: mean(({ asked }) => asked),
    found: mean(({ found }) => found),
  }
}

/** One sheet and what is measured of it. */
class Run {
  readonly #times: number[] = []
  #queries = 0
  #deepest = Infinity
  #pierced = 0

  constructor(
    readonly cloth: Cloth,
    readonly axis?: readonly Vec3[],
  ) {}

  step(field: SignedField, isJudged: boolean): void {
    const { cloth, axis } = this
    const elapsed = stopwatch()
    cloth.step(FRAME, { field })
    this.#times.push(elapsed() / 1000)
    this.#queries += cloth.contacts.queries
    const { positions, triangles } = cloth
    if (axis) this.#pierced = Math.max(this.#pierced, piercedTriangles(positions, triangles, axis[0], axis[1]))
    if (isJudged) this.#deepest = Math.min(this.#deepest, deepestPlace(positions, triangles, field))
  }

  figures(): SurfaceFigures {
    return {
      contact: this.cloth.settings.contact,
      step: median(this.#times),
      queries: this.#queries / this.#times.length,
      deepest: this.#deepest,
      ...(this.axis && { pierced: this.#pierced }),
    }
  }
}

/** Least distance of a grid of places on each triangle. */
function deepestPlace(x: Float64Array, triangles: Uint32Array, field: SignedField): number {
  const perTriangle = ((STEPS + 1) * (STEPS + 2)) / 2
  const points = new Float64Array(triangles.length * perTriangle)
  let at = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    for (let i = 0; i <= STEPS; i++) {
      for (let j = 0; i + j <= STEPS; j++) {
        for (let axis = 0; axis < 3; axis++) {
          points[at++] =
            x[a + axis] + (i / STEPS) * (x[b + axis] - x[a + axis]) + (j / STEPS) * (x[c + axis] - x[a + axis])
        }
      }
    }
  }
  const distances = new Float64Array(at / 3)
  field.query(points, distances.length, distances)
  return distances.reduce((least, value) => Math.min(least, value), Infinity)
}

/** How many triangles a segment goes through (Moller and Trumbore 1997). */
function piercedTriangles(x: Float64Array, triangles: Uint32Array, from: Vec3, to: Vec3): number {
  const way = minus(to, from)
  let count = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k): Vec3 => {
      const o = 3 * triangles[t + k]
      return [x[o], x[o + 1], x[o + 2]]
    })
    const [u, v, start] = [minus(b, a), minus(c, a), minus(from, a)]
    const [p, q] = [cross(way, v), cross(start, u)]
    const volume = dot(u, p)
    if (volume === 0) continue
    const [shareB, shareC, along] = [dot(start, p) / volume, dot(way, q) / volume, dot(v, q) / volume]
    if (shareB >= 0 && shareC >= 0 && shareB + shareC <= 1 && along >= 0 && along <= 1) count++
  }
  return count
}

const minus = (p: Vec3, q: Vec3): Vec3 => [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
const dot = (p: Vec3, q: Vec3): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
const cross = (p: Vec3, q: Vec3): Vec3 => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
]
