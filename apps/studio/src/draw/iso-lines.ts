/** Lines of equal value on a grid of nodes: marching squares, straight within each cell. */

/** Where along the way from one node to the next, 0 to 1, a line crosses it. */
export type Crossing = (from: number, to: number) => number

/**
 * @param values  node values, row by row
 * @param crossing  knows better than linear interpolation where lines lie between two nodes, which differ
 * @returns segments x0, y0, x1, y1 in units of nodes, one after the other; cells with a value that is not finite
 *          give none
 */
export function isoLines(
  values: ArrayLike<number>,
  width: number,
  height: number,
  level: number,
  crossing?: Crossing,
): number[] {
  const segments: number[] = []
  for (let row = 0; row + 1 < height; row++) {
    for (let column = 0; column + 1 < width; column++) {
      const at = row * width + column
      // Corners in a circle: (0,0) (1,0) (1,1) (0,1).
      const a = values[at] - level
      const b = values[at + 1] - level
      const c = values[at + width + 1] - level
      const d = values[at + width] - level
      const which = (a > 0 ? 1 : 0) | (b > 0 ? 2 : 0) | (c > 0 ? 4 : 0) | (d > 0 ? 8 : 0)
      if (which === 0 || which === 15 || !Number.isFinite(a + b + c + d)) continue
      const nodes = [at, at + 1, at + width + 1, at + width]
      const cut = crossing && ((side: number, next: number) => crossing(nodes[side], nodes[next]))
      addCell(segments, column, row, [a, b, c, d], which, cut)
    }
  }
  return segments
}

/** Pairs of sides that a line joins, by which corners are above; side i runs from corner i to the next. */
const JOINS: readonly (readonly number[])[] = [
  [],
  [3, 0],
  [0, 1],
  [3, 1],
  [1, 2],
  [3, 0, 1, 2],
  [0, 2],
  [3, 2],
  [2, 3],
  [2, 0],
  [0, 1, 2, 3],
  [2, 1],
  [1, 3],
  [1, 0],
  [0, 3],
  [],
]
const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const

function addCell(
  segments: number[],
  column: number,
  row: number,
  corner: readonly number[],
  which: number,
  cut?: Crossing,
): void {
  let joins = JOINS[which]
  if (which === 5 || which === 10) {
    // A saddle: the mean decides which two corners belong together.
    const above = corner[0] + corner[1] + corner[2] + corner[3] > 0
    if (above) joins = JOINS[15 - which]
  }
  for (const side of joins) {
    const next = (side + 1) % 4
    const share = cut ? cut(side, next) : corner[side] / (corner[side] - corner[next])
    segments.push(
      column + CORNERS[side][0] + share * (CORNERS[next][0] - CORNERS[side][0]),
      row + CORNERS[side][1] + share * (CORNERS[next][1] - CORNERS[side][1]),
    )
  }
}
