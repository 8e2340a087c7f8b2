/**
 * Octree cells of where two bodies overlap (`overlapCells`), in the frame of the first. Of the cells that nothing is proved
 * of, those are left out whose middle is further from either body than they reach.
 */
import { type Box, TransformedField } from 'pliant'
import { carryBox, overlapCells, type Solid } from 'pliant/detect'
import { boxCentre, boxDiagonal, invertAffine, multiplyAffine } from 'pliant/unstable'
import type { OverlapLook } from './pile-protocol.js'

/** Cells of 1/32 of where boxes meet, and what is looked at at most: some tens of milliseconds. */
const OPTIONS = { levels: 5, most: 12_000 } as const
/** Cells of a list that are handed over to be drawn. */
const MOST_DRAWN = 3000

/** A body as it stands. */
export interface PosedSolid {
  readonly solid: Solid
  /** To the world, rigid, column-major 4x4. */
  readonly pose: Float64Array
}

/** @returns undefined if not even their boxes meet */
export function lookAtOverlap(a: PosedSolid, b: PosedSolid): Omit<OverlapLook, 'bodies'> | undefined {
  const began = performance.now()
  const frame = relativeFrame(a.pose, b.pose)
  const box = meetingOf(a.solid.box, carryBox(frame, b.solid.box))
  if (!box) return undefined
  const other = new TransformedField(b.solid.field, frame)
  const { cells, unknown, volume } = overlapCells(a.solid.field, other, box, OPTIONS)
  const near = nearBoth(a.solid, other, unknown)
  const border = near.reduce((sum, { lower, upper }) => {
    return sum + (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2])
  }, 0)
  return {
    inside: numbersOf(cells),
    border: numbersOf(near),
    counts: { inside: cells.length, border: near.length },
    volume: [volume[0], volume[0] + border],
    milliseconds: performance.now() - began,
  }
}

/** B's frame to A's. */
function relativeFrame(a: Float64Array, b: Float64Array): Float64Array {
  const [inverse, frame] = [new Float64Array(16), new Float64Array(16)]
  invertAffine(a, 0, inverse, 0)
  multiplyAffine(inverse, 0, b, 0, frame, 0)
  return frame
}

function meetingOf(a: Box, b: Box): Box | undefined {
  const lower = a.lower.map((low, k) => Math.max(low, b.lower[k])) as unknown as Box['lower']
  const upper = a.upper.map((high, k) => Math.min(high, b.upper[k])) as unknown as Box['upper']
  return lower.every((low, k) => low < upper[k]) ? { lower, upper } : undefined
}

function nearBoth(a: Solid, b: TransformedField, cells: readonly Box[]): Box[] {
  const points = Float64Array.from(cells.flatMap((cell) => boxCentre(cell)))
  const [toA, toB] = [new Float64Array(cells.length), new Float64Array(cells.length)]
  a.field.query(points, cells.length, toA)
  b.query(points, cells.length, toB)
  return cells.filter((cell, i) => Math.max(toA[i], toB[i]) <= boxDiagonal(cell) / 2)
}

function numbersOf(cells: readonly Box[]): Float32Array {
  return Float32Array.from(
    cells.slice(0, MOST_DRAWN).flatMap((cell) => {
      return [...boxCentre(cell), ...cell.upper.map((high, k) => (high - cell.lower[k]) / 2)]
    }),
  )
}
