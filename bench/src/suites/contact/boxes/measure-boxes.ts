/**
 * Bodies in oriented boxes (Liu et al., Fig. 11), by both ways to cut: how many boxes, how much room they take, what of the
 * surface they hold, and how long that takes.
 */
import { boxExpand, boxOfPoints, type SignedField } from 'pliant'
import { boxHolds, boxVolume, type OrientedBox, orientedBoxes, type Solid, solidOf } from 'pliant/detect'
import { ExactMeshField } from 'pliant/exact'
import { boxDiagonal } from 'pliant/unstable'
import { twentyFields } from '../poses.js'
import { type SceneFiles, scannedMeshes } from '../scenes/bodies.js'
import { CUT_CELLS, CUTS, cutSurface, QUICK_BOXES } from './surface-boxes.js'

export interface BoxesResult {
  /** Points along the longest side of what was cut, and of the finer sampling that boxes are judged by. */
  cells: number
  judgedCells: number
  bodies: BodyInBoxes[]
}

export interface BodyInBoxes {
  body: string
  /** Of the surface, that were cut. */
  points: number
  /** Volume of the one box around the body, over that of the body. */
  single: number
  cuts: Cut[]
}

export interface Cut {
  method: string
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
  const scanned = scenes ? await scannedMeshes(scenes) : []
  const bodies = [
    ...[...twentyFields()].map(([body, field]) => ({ body, field, box: field.box })),
    ...scanned.map(({ name, mesh }) => ({
      ...{ body: name, field: new ExactMeshField(mesh), box: boxOfPoints(mesh.positions) },
    })),
  ]
  const told = tell(bodies.length)
  const result: BoxesResult = { cells: CUT_CELLS, judgedCells: JUDGED_CELLS, bodies: [] }
  for (const [i, { body, field, box }] of bodies.entries()) {
    await told(i)
    const surface = cutSurface(field, box)
    const judged = solidOf(field, box, { cells: JUDGED_CELLS })
    const room = roomAround(surface)
    result.bodies.push({
      ...{ body, points: surface.points.length / 3, single: boxVolumeOf(surface) / room.body },
      cuts: CUTS.map(({ method, name }) => {
        const start = performance.now()
        const boxes = orientedBoxes(surface, { ...(quick ? QUICK_BOXES : {}), method })
        const seconds = (performance.now() - start) / 1000
        const volume = boxes.reduce((sum, each) => sum + boxVolume(each), 0)
        return {
          ...{ method: name, boxes: boxes.length, seconds },
          ...{ overBody: volume / room.body, overSingle: volume / boxVolumeOf(surface) },
          roomOverBody: room.of(boxes) / room.body,
          ...{ held: shareHeld(surface, boxes), judged: shareHeld(judged, boxes) },
        }
      }),
    })
  }
  return result
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
