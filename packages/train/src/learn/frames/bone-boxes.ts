/** Boxes of a body's parts, and how many nodes the grids in them have. */
import type { Vec3 } from 'pliant'
import { type BoneFrame, LEAST_SQUARE } from 'pliant/unstable'

/** Room of `margin` around points [m]. */
export function boxOf(local: Vec3[], margin: number): { centre: Vec3; half: Vec3 } {
  const axes = [0, 1, 2].map((axis) => {
    const values = local.map((p) => p[axis])
    const low = values.reduce((a, b) => Math.min(a, b), Infinity)
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity)
    return { centre: (low + high) / 2, half: (high - low) / 2 + margin }
  })
  return {
    centre: axes.map((axis) => axis.centre) as unknown as Vec3,
    half: axes.map((axis) => axis.half) as unknown as Vec3,
  }
}

/** Adds the nodes of grids whose cells are of one size: on the average so many along a side. */
export function withGrids<Frame extends Pick<BoneFrame, 'half'>>(
  frames: readonly Frame[],
  resolution: number,
): (Frame & Pick<BoneFrame, 'nodes'>)[] {
  const cell = cellSize(frames, frames.length * resolution ** 3)
  return frames.map((frame) => ({ ...frame, nodes: nodesOf(frame, cell) }))
}

/** Fewest and most nodes along one axis of a grid. */
const FEWEST_NODES = 4
const MOST_NODES = 96

function nodesOf({ half }: Pick<BoneFrame, 'half'>, cell: number): Vec3 {
  const [x, y, z] = half.map((h) => Math.min(Math.max(Math.round((2 * h) / cell) + 1, FEWEST_NODES), MOST_NODES))
  return [x, y, z]
}

/** The cells' size [m] with which all grids together have at most so many nodes, or as few as they can. */
function cellSize(boxes: readonly Pick<BoneFrame, 'half'>[], most: number): number {
  const largest = 2 * Math.max(...boxes.flatMap(({ half }) => half))
  const count = (cell: number): number =>
    boxes.reduce((sum, box) => sum + nodesOf(box, cell).reduce((product, n) => product * n, 1), 0)
  let [low, high] = [largest / MOST_NODES, largest]
  for (let i = 0; i < 40; i++) {
    const middle = Math.sqrt(low * high)
    if (count(middle) > most) low = middle
    else high = middle
  }
  return high
}

/** Of points from a segment. */
export function meanDistance(local: readonly Vec3[], start: Vec3, end: Vec3): number {
  return distancesFrom(local, start, end).reduce((sum, distance) => sum + distance, 0) / local.length
}

export function distancesFrom(local: readonly Vec3[], start: Vec3, end: Vec3): Float64Array {
  const d = [end[0] - start[0], end[1] - start[1], end[2] - start[2]]
  const squared = d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + LEAST_SQUARE
  return Float64Array.from(local, (p) => {
    const v = [p[0] - start[0], p[1] - start[1], p[2] - start[2]]
    const t = Math.min(Math.max((v[0] * d[0] + v[1] * d[1] + v[2] * d[2]) / squared, 0), 1)
    return Math.hypot(v[0] - t * d[0], v[1] - t * d[1], v[2] - t * d[2])
  })
}
