/** A flat cut through the domain, square to an axis, and the grid of nodes on which fields are drawn. */
import type { Box, Floats } from 'pliant'

/** 0, 1, 2 for x, y, z. */
export type Axis = 0 | 1 | 2
export const AXIS_NAMES = ['x', 'y', 'z'] as const

export interface SlicePlane {
  /** What the plane is square to. */
  axis: Axis
  /** Where it stands on that axis [m]. */
  at: number
}

export interface SliceGrid {
  plane: SlicePlane
  /** Which axes run to the right and upwards in the picture. */
  horizontal: Axis
  vertical: Axis
  /** Nodes along both; the outermost lie on the bounds. */
  width: number
  height: number
  /** [horizontal, vertical] corners [m]. */
  lower: readonly [number, number]
  upper: readonly [number, number]
}

/** Longest in x in most objects, so x lies wherever it can; y is up. */
const ACROSS: readonly (readonly [Axis, Axis])[] = [
  [2, 1],
  [0, 2],
  [0, 1],
]

/** Nodes about equally far apart both ways, near `points` of them in all, at least 2 x 2. */
export function sliceGrid(domain: Box, plane: SlicePlane, points: number): SliceGrid {
  const [horizontal, vertical] = ACROSS[plane.axis]
  const lower = [domain.lower[horizontal], domain.lower[vertical]] as const
  const upper = [domain.upper[horizontal], domain.upper[vertical]] as const
  const spacing = Math.sqrt(((upper[0] - lower[0]) * (upper[1] - lower[1])) / points)
  const width = Math.max(2, Math.round((upper[0] - lower[0]) / spacing) + 1)
  const height = Math.max(2, Math.round((upper[1] - lower[1]) / spacing) + 1)
  return { plane, horizontal, vertical, width, height, lower, upper }
}

/** Positions [m] of the nodes of some rows, xyz triples, lowest row first. */
export function slicePoints(grid: SliceGrid, firstRow: number, rows: number, out: Floats): void {
  const { plane, horizontal, vertical, width, height, lower, upper } = grid
  let at = 0
  for (let row = firstRow; row < firstRow + rows; row++) {
    for (let column = 0; column < width; column++) {
      out[at + plane.axis] = plane.at
      out[at + horizontal] = lower[0] + ((upper[0] - lower[0]) * column) / (width - 1)
      out[at + vertical] = lower[1] + ((upper[1] - lower[1]) * row) / (height - 1)
      at += 3
    }
  }
}

/** The point [m] of a place in the picture, both coordinates from 0 (left, bottom) to 1. */
export function pointOnSlice(grid: SliceGrid, across: number, up: number): [number, number, number] {
  const point: [number, number, number] = [0, 0, 0]
  point[grid.plane.axis] = grid.plane.at
  point[grid.horizontal] = grid.lower[0] + across * (grid.upper[0] - grid.lower[0])
  point[grid.vertical] = grid.lower[1] + up * (grid.upper[1] - grid.lower[1])
  return point
}
