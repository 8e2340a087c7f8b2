/** Axis-aligned boxes: lower and upper corner, inclusive. */
import type { Floats } from './floats.js'

/** A point or a vector: x, y, z. */
export type Vec3 = readonly [number, number, number]

/** An axis-aligned box. */
export interface Box {
  /** The corner with the smallest coordinates [m]. */
  readonly lower: Vec3
  /** The corner with the largest coordinates [m]. */
  readonly upper: Vec3
}

/** A box that may be turned, or have fewer sides than three: its centre, plus and minus each half edge. */
export interface EdgeBox {
  /** x, y, z [m]. */
  readonly centre: ArrayLike<number>
  /** x, y, z of each, one after the other [m]. */
  readonly halfEdges: ArrayLike<number>
}

/** A box without an end. */
export const EVERYWHERE: Box = { lower: [-Infinity, -Infinity, -Infinity], upper: [Infinity, Infinity, Infinity] }

/** The smallest box around `count` points [m]; an empty set gives a box with lower = +inf and upper = -inf. */
export function boxOfPoints(points: Floats, count = points.length / 3): Box {
  const lower: [number, number, number] = [Infinity, Infinity, Infinity]
  const upper: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < 3 * count; i++) {
    const axis = i % 3
    if (points[i] < lower[axis]) lower[axis] = points[i]
    if (points[i] > upper[axis]) upper[axis] = points[i]
  }
  return { lower, upper }
}

export function boxDiagonal(box: Box): number {
  return Math.hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2])
}

export function boxCentre(box: Box): [number, number, number] {
  return [0, 1, 2].map((axis) => (box.lower[axis] + box.upper[axis]) / 2) as [number, number, number]
}

/** The box grown by `margin` [m] on every side. */
export function boxExpand(box: Box, margin: number): Box {
  return {
    lower: [box.lower[0] - margin, box.lower[1] - margin, box.lower[2] - margin],
    upper: [box.upper[0] + margin, box.upper[1] + margin, box.upper[2] + margin],
  }
}

/** The smallest box around both. */
export function boxUnion(a: Box, b: Box): Box {
  return {
    lower: [Math.min(a.lower[0], b.lower[0]), Math.min(a.lower[1], b.lower[1]), Math.min(a.lower[2], b.lower[2])],
    upper: [Math.max(a.upper[0], b.upper[0]), Math.max(a.upper[1], b.upper[1]), Math.max(a.upper[2], b.upper[2])],
  }
}
