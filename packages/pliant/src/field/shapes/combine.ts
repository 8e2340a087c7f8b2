/**
 * Shapes joined, cut and taken from each other, sharply or by a smooth seam, rounded and hollowed out. The sign is exact.
 * On one side of each operation (inside a union, outside an intersection) the true distance may be larger, never smaller.
 */
import type { Box, Vec3 } from '../../math/box.js'
import { boxExpand, boxUnion } from '../../math/box.js'
import { abs, type Expression, max, min, mul, neg, square, sub } from '../expression/expression.js'
import { requirePositive, type Shape } from './shape.js'

/** What any of the shapes fills. */
export function union(...shapes: Shape[]): Shape {
  requireSome('union', shapes)
  return {
    at: (p) =>
      tree(
        shapes.map((shape) => shape.at(p)),
        min,
      ),
    slope: steepest(shapes),
    box: shapes.map((shape) => shape.box).reduce(boxUnion),
  }
}

/** What all of the shapes fill. */
export function intersection(...shapes: Shape[]): Shape {
  requireSome('intersection', shapes)
  return {
    at: (p) =>
      tree(
        shapes.map((shape) => shape.at(p)),
        max,
      ),
    slope: steepest(shapes),
    box: shapes.map((shape) => shape.box).reduce(boxIntersection),
  }
}

/** What the first shape fills and none of the others. */
export function difference(shape: Shape, ...taken: Shape[]): Shape {
  return {
    at: (p) => tree([shape.at(p), ...taken.map((other) => neg(other.at(p)))], max),
    slope: steepest([shape, ...taken]),
    box: shape.box,
  }
}

/** A union whose seam is filled. @param width  of the seam [m]: where distances differ by less, both count */
export function smoothUnion(a: Shape, b: Shape, width: number): Shape {
  requirePositive('smooth union width', width)
  return {
    at(p) {
      const [left, right] = [a.at(p), b.at(p)]
      return sub(min(left, right), seam(left, right, width))
    },
    slope: steepest([a, b]),
    // The seam is at most a quarter of its width above either.
    box: boxExpand(boxUnion(a.box, b.box), width / 4),
  }
}

/** An intersection whose edge is rounded off. @param width  of the edge: where distances differ by less, both count [m] */
export function smoothIntersection(a: Shape, b: Shape, width: number): Shape {
  requirePositive('smooth intersection width', width)
  return {
    at(p) {
      const [left, right] = [a.at(p), b.at(p)]
      return sub(max(left, right), neg(seam(left, right, width)))
    },
    slope: steepest([a, b]),
    box: boxIntersection(a.box, b.box),
  }
}

/** A difference whose edge is rounded off. @param width  of the edge [m] */
export function smoothDifference(shape: Shape, taken: Shape, width: number): Shape {
  return { ...smoothIntersection(shape, { ...taken, at: (p) => neg(taken.at(p)) }, width), box: shape.box }
}

/** Grown by a radius [m] on all sides, so that edges become round. */
export function rounded(shape: Shape, radius: number): Shape {
  requirePositive('rounding radius', radius)
  return { at: (p) => sub(shape.at(p), radius), slope: shape.slope, box: boxExpand(shape.box, radius) }
}

/** Only the skin of a shape. @param thickness  to either side of its surface [m] */
export function onion(shape: Shape, thickness: number): Shape {
  requirePositive('onion thickness', thickness)
  return { at: (p) => sub(abs(shape.at(p)), thickness), slope: shape.slope, box: boxExpand(shape.box, thickness) }
}

/** max(0, width - |a - b|)^2 / (4 width): a polynomial seam, which keeps a slope of 1. */
function seam(a: Expression, b: Expression, width: number): Expression {
  return mul(square(max(sub(width, abs(sub(a, b))), 0)), 1 / (4 * width))
}

/** By halves: bounds of a long chain would be as loose, but its gradient would go through all of it. */
function tree(all: readonly Expression[], pick: (a: Expression, b: Expression) => Expression): Expression {
  if (all.length === 1) return all[0]
  const half = all.length >> 1
  return pick(tree(all.slice(0, half), pick), tree(all.slice(half), pick))
}

function steepest(shapes: readonly Shape[]): number {
  return Math.max(...shapes.map(({ slope }) => slope))
}

function boxIntersection(a: Box, b: Box): Box {
  const lower = a.lower.map((low, k) => Math.max(low, b.lower[k])) as unknown as Vec3
  // Shapes that have nothing in common fill a box without a volume.
  return { lower, upper: a.upper.map((high, k) => Math.max(lower[k], Math.min(high, b.upper[k]))) as unknown as Vec3 }
}

function requireSome(what: string, shapes: readonly Shape[]): void {
  if (shapes.length === 0) throw new RangeError(`shape: ${what} of no shape; give one at least.`)
}
