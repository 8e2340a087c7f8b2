/**
 * Where two fields are both negative, by an octree of cells that their bounds tell inside, outside or perhaps (Liu et al.,
 * Algorithm 1, section 3). A cell is dropped if it lies outside either field (the paper's text says both; its Algorithm 1 is
 * right), kept whole if it lies inside both, and split otherwise. So the answer is proved: "no" where no cell is left, "yes"
 * where one lies inside both, or its centre does, and unknown only where the overlap is thinner than a cell of the last level.
 * Beside the paper: fields are asked in the middle of all cells of a level at once, which tells what is worth bounding,
 * since a network's bounds take a hundred times a point's time.
 */
import type { SignedField } from '../../field/signed-field.js'
import { type Box, boxCentre, boxDiagonal, type Vec3 } from '../../math/box.js'
import { NOT_NEGATIVE, POSITIVE, settingsOf, YES_OR_NO } from '../../math/settings.js'

/** How finely two fields are told apart. */
export interface OverlapOptions {
  /** How many times the box is halved along every axis. */
  levels?: number
  /** Cells that are looked at at most; beyond, what is left stays unknown. */
  most?: number
  /** Whether cells and volume are asked for; if not, the search ends with the first place that is found in both. */
  volume?: boolean
}
/** Cells of 1/64 of the box. */
export const OVERLAP_DEFAULTS = { levels: 6, most: 2_000_000, volume: true } as const

/** What is known of where two fields overlap. */
export interface Overlap {
  /** Whether they do; undefined if nothing larger than a cell of the last level was found, nor ruled out. */
  touches: boolean | undefined
  /** Cells inside both, of any level. */
  cells: Box[]
  /** Cells of the last level that may hold more of it, or whose fields promise nothing. */
  unknown: Box[]
  /** Volume of the overlap: at least, and at most [m^3]. */
  volume: readonly [number, number]
  /** Cells that were looked at. */
  looked: number
}

/**
 * Finds the cells that two fields have in common, and proves whether there are any.
 * @param box  where to look; both fields in its frame
 * @throws RangeError if the box is none or has no end, or an option is wrong
 */
export function overlapCells(a: SignedField, b: SignedField, box: Box, options: OverlapOptions = {}): Overlap {
  const { levels, most, volume } = settingsOf<Required<OverlapOptions>>('overlap', options, OVERLAP_DEFAULTS, {
    levels: NOT_NEGATIVE,
    most: POSITIVE,
    volume: YES_OR_NO,
  })
  for (let axis = 0; axis < 3; axis++) {
    if (box.lower[axis] <= box.upper[axis] && box.upper[axis] - box.lower[axis] < Infinity) continue
    throw new RangeError(
      `overlap: the box reaches from ${box.lower[axis]} to ${box.upper[axis]}; give one with an end.`,
    )
  }
  const overlap: Overlap = { touches: false, cells: [], unknown: [], volume: [0, 0], looked: 0 }
  let [least, room] = [0, 0]
  // Level by level, as the paper's queue: cells of one level are of one size, and the largest inside are found first.
  let level: Cell[] = [{ box, insideA: false, insideB: false }]
  for (let left = levels; level.length > 0; left--) {
    const next: Cell[] = []
    const [atA, atB] = [atCentres(a, level), atCentres(b, level)]
    const shared = level.some((_, i) => atA[i] < 0 && atB[i] < 0)
    if (shared) overlap.touches = true
    if (shared && !volume) {
      overlap.volume = [least, room + level.reduce((sum, cell) => sum + volumeOf(cell.box), 0)]
      return overlap
    }
    for (const [i, cell] of level.entries()) {
      overlap.looked++
      const isFull = overlap.looked > most
      const canSplit = left > 0 && !isFull
      if (!isFull) {
        // Whichever is likelier to be clear of it first; often that is all that is asked.
        const clear =
          atA[i] > atB[i]
            ? isOutside(a, cell.box, atA[i], canSplit) || isOutside(b, cell.box, atB[i], canSplit)
            : isOutside(b, cell.box, atB[i], canSplit) || isOutside(a, cell.box, atA[i], canSplit)
        if (clear) continue
        if (atA[i] <= 0 && atB[i] <= 0) {
          cell.insideA ||= isInside(a, cell.box)
          cell.insideB ||= isInside(b, cell.box)
        }
      }
      if (cell.insideA && cell.insideB) {
        overlap.cells.push(cell.box)
        least += volumeOf(cell.box)
      } else if (canSplit) {
        for (let octant = 0; octant < 8; octant++) next.push({ ...cell, box: octantOf(cell.box, octant) })
      } else {
        overlap.unknown.push(cell.box)
        room += volumeOf(cell.box)
      }
    }
    level = next
  }
  if (overlap.cells.length > 0) overlap.touches = true
  else if (overlap.unknown.length > 0 && !overlap.touches) overlap.touches = undefined
  overlap.volume = [least, least + room]
  return overlap
}

/** A cell, and which fields it is known to lie inside of: what a cell is known of, its octants are. */
interface Cell {
  box: Box
  insideA: boolean
  insideB: boolean
}

/**
 * How near to zero, in halves of a cell's diagonal, a distance in the middle may be before bounds are worth their time: a
 * distance changes by .58 of that along an axis.
 */
const NEAR = 0.25

/** Whether all of a cell is outside of a field; a cell that can be split is not asked about where there is little hope. */
function isOutside(field: SignedField, box: Box, atCentre: number, canSplit: boolean): boolean {
  if (atCentre <= 0 || (canSplit && atCentre < (NEAR * boxDiagonal(box)) / 2)) return false
  const bounds = field.bounds(box)
  return bounds !== undefined && bounds[0] > 0
}

function isInside(field: SignedField, box: Box): boolean {
  const bounds = field.bounds(box)
  return bounds !== undefined && bounds[1] <= 0
}

/** Distances in the middle of cells, all in one batch. */
function atCentres(field: SignedField, cells: readonly Cell[]): Float64Array {
  const [points, distances] = [new Float64Array(3 * cells.length), new Float64Array(cells.length)]
  cells.forEach(({ box }, i) => {
    points.set(boxCentre(box), 3 * i)
  })
  field.query(points, cells.length, distances)
  return distances
}

function octantOf(cell: Box, octant: number): Box {
  const centre = boxCentre(cell)
  const isUpper = (axis: number): boolean => ((octant >> axis) & 1) === 1
  return {
    lower: cell.lower.map((low, axis) => (isUpper(axis) ? centre[axis] : low)) as unknown as Vec3,
    upper: cell.upper.map((high, axis) => (isUpper(axis) ? high : centre[axis])) as unknown as Vec3,
  }
}

function volumeOf({ lower, upper }: Box): number {
  return (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2])
}
