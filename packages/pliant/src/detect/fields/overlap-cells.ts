/**
 * Where two fields are both negative, by an octree of cells that their bounds tell inside, outside or perhaps (Liu et al.,
 * Algorithm 1, section 3). A cell is dropped if it lies outside either field (the paper's text says both; its Algorithm 1 is
 * right), kept whole if it lies inside both, and split otherwise. So the answer is proved: "no" where no cell is left, "yes"
 * where one lies inside both, or its centre does, and unknown only where the overlap is thinner than a cell of the last level.
 */
import type { SignedField } from '../../field/signed-field.js'
import { type Box, boxCentre, type Vec3 } from '../../math/box.js'
import { NOT_NEGATIVE, POSITIVE, settingsOf } from '../../math/settings.js'

/** How finely two fields are told apart. */
export interface OverlapOptions {
  /** How many times the box is halved along every axis. */
  levels?: number
  /** Cells that are looked at at most; beyond, what is left stays unknown. */
  most?: number
}
/** Cells of 1/64 of the box. */
export const OVERLAP_DEFAULTS = { levels: 6, most: 2_000_000 } as const

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
  const { levels, most } = settingsOf<Required<OverlapOptions>>('overlap', options, OVERLAP_DEFAULTS, {
    levels: NOT_NEGATIVE,
    most: POSITIVE,
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
  let level: Box[] = [box]
  for (let left = levels; level.length > 0; left--) {
    const next: Box[] = []
    for (const cell of level) {
      overlap.looked++
      const isFull = overlap.looked > most
      const inA = isFull ? undefined : sideOf(a, cell)
      if (inA === 'outside') continue
      const inB = isFull ? undefined : sideOf(b, cell)
      if (inB === 'outside') continue
      if (inA === 'inside' && inB === 'inside') {
        overlap.cells.push(cell)
        least += volumeOf(cell)
      } else if (left > 0 && !isFull) {
        for (let octant = 0; octant < 8; octant++) next.push(octantOf(cell, octant))
      } else {
        overlap.unknown.push(cell)
        room += volumeOf(cell)
      }
    }
    level = next
  }
  if (overlap.cells.length > 0 || overlap.unknown.some((cell) => isWithin(a, cell) && isWithin(b, cell))) {
    overlap.touches = true
  } else if (overlap.unknown.length > 0) overlap.touches = undefined
  overlap.volume = [least, least + room]
  return overlap
}

/** Undefined where the surface may pass, or the field promises nothing. */
function sideOf(field: SignedField, cell: Box): 'inside' | 'outside' | undefined {
  const bounds = field.bounds(cell)
  if (!bounds) return undefined
  if (bounds[0] > 0) return 'outside'
  return bounds[1] <= 0 ? 'inside' : undefined
}

/** Whether a cell's centre is inside. */
function isWithin(field: SignedField, cell: Box): boolean {
  const distance = new Float64Array(1)
  field.query(Float64Array.from(boxCentre(cell)), 1, distance)
  return distance[0] < 0
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
