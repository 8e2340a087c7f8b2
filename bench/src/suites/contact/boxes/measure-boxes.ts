/**
 * Bodies in oriented boxes (Liu et al., Fig. 11), by both ways to cut: how many boxes, how much room they take, what of the
 * surface they hold, and how long that takes.
 */
import { type Box, boxExpand, boxOfPoints, type SignedField } from 'pliant'
import {
  boxHolds,
  boxVolume,
  type OrientedBox,
  type OrientedBoxesOptions,
  orientedBoxes,
  type Solid,
  solidOf,
} from 'pliant/detect'
import { ExactMeshField } from 'pliant/exact'
import { boxDiagonal } from 'pliant/unstable'
import { twentyFields } from '../poses.js'
import { type SceneFiles, scannedMeshes } from '../scenes/bodies.js'
import { CUT_CELLS, CUTS, cutSurface, QUICK_BOXES } from './surface-boxes.js'

export interface BoxesResult {
  /** Points along the longest side of what was cut, and of the finer sampling that boxes are judged by. */
  cells: number
  judgedCells: number
  /** Of every body one for each way to cut. */
  cuts: Cut[]
}

export interface Cut {
  body: string
  method: string
  /** Of the surface, that were cut. */
  points: number
  /** Volume of the one box around the body, over that of the body. */
  single: number
  boxes: number
  /** Volumes of all boxes together, over that of the body, and over that of the one box around it. */
  overBody: number
  overSingle: number
  /** The same of the room that they take, where what several hold counts once. */
  roomOverBody: number
  /** Shares of the points that are in a box: of those that were cut, and of the finer sampling. */
  held: number
  judged: number
  seconds: number
}

/** A body by its field, and the box that holds it. */
export interface NamedBody {
  body: string
  field: SignedField
  box: Box
}

/** Points that no cut has seen: no multiple of the others. */
const JUDGED_CELLS = 47
/** Cells of a grid along each side, that volumes are counted on. */
const VOLUME_CELLS = 48
/** Rounding, over the size. */
const ROUNDING = 1e-12

/** @param tell  given how many bodies there are, what hears how many are done */
export async function measureBoxes(
  { quick = false, scenes }: { quick?: boolean; scenes?: SceneFiles },
  tell: (bodies: number) => (done: number) => Promise<void>,
): Promise<BoxesResult> {
  const bodies = await boxedBodies(scenes)
  const told = tell(bodies.length)
  const result = boxesResult([])
  for (const [i, body] of bodies.entries()) {
    await told(i)
    result.cuts.push(...measureBody(body, quick ? QUICK_BOXES : {}))
  }
  return result
}

/** The twenty shapes, and scanned bodies, if their files are there. */
export async function boxedBodies(scenes?: SceneFiles): Promise<NamedBody[]> {
  const scanned = scenes ? await scannedMeshes(scenes) : []
  return [
    ...[...twentyFields()].map(([body, field]) => ({ body, field, box: field.box })),
    ...scanned.map(({ name, mesh }) => ({
      ...{ body: name, field: new ExactMeshField(mesh), box: boxOfPoints(mesh.positions) },
    })),
  ]
}

export const boxesResult = (cuts: Cut[]): BoxesResult => ({ cells: CUT_CELLS, judgedCells: JUDGED_CELLS, cuts })

/**
 * One body, cut both ways.
 * @param seen  told the boxes of each
 */
export function measureBody(
  { body, field, box }: NamedBody,
  options: OrientedBoxesOptions,
  seen: (method: string, boxes: readonly OrientedBox[]) => void = () => {},
): Cut[] {
  const surface = cutSurface(field, box)
  const judged = solidOf(field, box, { cells: JUDGED_CELLS })
  const room = roomAround(surface)
  const single = boxVolumeOf(surface)
  return CUTS.map(({ method, name }) => {
    const start = performance.now()
    const boxes = orientedBoxes(surface, { ...options, method })
    const seconds = (performance.now() - start) / 1000
    seen(name, boxes)
    const volume = boxes.reduce((sum, each) => sum + boxVolume(each), 0)
    return {
      ...{ body, method: name, points: surface.points.length / 3, single: single / room.body },
      ...{ boxes: boxes.length, seconds },
      ...{ overBody: volume / room.body, overSingle: volume / single, roomOverBody: room.of(boxes) / room.body },
      ...{ held: shareHeld(surface, boxes), judged: shareHeld(judged, boxes) },
    }
  })
}

function boxVolumeOf({ box: { lower, upper } }: Solid): number {
  return lower.reduce((volume, low, k) => volume * (upper[k] - low), 1)
}

function shareHeld({ points, size }: Solid, boxes: readonly OrientedBox[]): number {
  let held = 0
  for (let at = 0; at < points.length; at += 3) {
    if (boxes.some((box) => boxHolds(box, points, at, ROUNDING * size))) held++
  }
  return (3 * held) / points.length
}

/** Volumes by counting points of a grid: that of a body, and that of boxes, which reach somewhat further [m^3]. */
function roomAround({ field, box }: Solid) {
  const { lower, upper } = boxExpand(box, 0.1 * boxDiagonal(box))
  const points = new Float64Array(3 * VOLUME_CELLS ** 3)
  for (let at = 0; at < points.length; at++) {
    const [i, k] = [Math.trunc(at / 3), at % 3]
    const cell = Math.trunc(i / VOLUME_CELLS ** k) % VOLUME_CELLS
    points[at] = lower[k] + ((cell + 0.5) / VOLUME_CELLS) * (upper[k] - lower[k])
  }
  const each = lower.reduce((volume, low, k) => (volume * (upper[k] - low)) / VOLUME_CELLS, 1)
  return {
    body: each * countInside(field, points),
    of(boxes: readonly OrientedBox[]): number {
      let count = 0
      for (let at = 0; at < points.length; at += 3) if (boxes.some((held) => boxHolds(held, points, at))) count++
      return each * count
    },
  }
}

function countInside(field: SignedField, points: Float64Array): number {
  const distances = new Float64Array(points.length / 3)
  field.query(points, distances.length, distances)
  return distances.reduce((count, distance) => (distance < 0 ? count + 1 : count), 0)
}
