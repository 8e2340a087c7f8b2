/** Shapes put somewhere: moved, turned, scaled, mirrored, repeated, twisted and bent. Space is carried back to the shape. */
import { type Box, boxOfPoints, type Vec3 } from '../../math/box.js'
import { requireNumbers } from '../../math/require.js'
import {
  abs,
  add,
  clamp,
  cos,
  div,
  dot,
  type Expression,
  min,
  mul,
  type Place,
  round,
  select,
  sin,
  sub,
} from '../expression/expression.js'
import { requireNumber, requirePlace, requirePositive, type Shape } from './shape.js'

/** Where a shape is put. */
export interface Placement {
  /** Where its origin goes [m]. */
  at?: Vec3
  /** How it is turned: a unit quaternion xyzw; another length is made one. */
  turn?: readonly [number, number, number, number]
  /** How much larger it becomes, on all sides alike. */
  scale?: number
}

/** A shape scaled, then turned, then moved. */
export function placed(shape: Shape, { at = [0, 0, 0], turn = [0, 0, 0, 1], scale = 1 }: Placement): Shape {
  requirePlace('place', at)
  requirePositive('scale', scale)
  const columns = columnsOf(turn)
  const outwards = (p: Vec3): Vec3 =>
    [0, 1, 2].map((k) => at[k] + scale * columns.reduce((sum, column, axis) => sum + column[k] * p[axis], 0)) as never
  return {
    at(p) {
      const from = p.map((component, axis) => sub(component, at[axis])) as unknown as Place
      const [x, y, z] = columns.map((column) => div(dot(from, column), scale))
      return mul(scale, shape.at([x, y, z]))
    },
    slope: shape.slope,
    box: boxOfCorners(shape.box, outwards),
  }
}

/** One half of a shape, and the same on the other side: what lies at positive coordinates of an axis counts. */
export function mirrored(shape: Shape, axis: 0 | 1 | 2): Shape {
  const { lower, upper } = shape.box
  return {
    at: (p) => shape.at(p.map((component, k) => (k === axis ? abs(component) : component)) as unknown as Place),
    slope: shape.slope,
    box: { lower: lower.map((low, k) => (k === axis ? -Math.max(0, upper[k]) : low)) as never, upper },
  }
}

/**
 * So many copies in a row, a layer or a block, about the origin.
 * @param spacing  from copy to copy along x, y and z [m]; no less than the shape, so that copies lie side by side
 * @param counts   how many along each
 */
export function repeated(shape: Shape, spacing: Vec3, counts: Vec3): Shape {
  requirePlace('spacing', spacing)
  counts.forEach((count, axis) => {
    if (!(Number.isInteger(count) && count >= 1 && count <= 1e6)) {
      throw new RangeError(`shape: ${count} copies; give a whole number from 1 on.`)
    }
    if (count === 1) return
    const [low, high] = [shape.box.lower[axis], shape.box.upper[axis]]
    if (Math.max(-low, high) <= spacing[axis] / 2) return
    throw new RangeError(
      `shape: copies ${spacing[axis]} m apart overlap, as the shape reaches from ${low} to ${high} m; space them wider, about its origin.`,
    )
  })
  const most = counts.map((count, axis) => (spacing[axis] * (count - 1)) / 2)
  return {
    at(p) {
      // The nearest copy of each axis, and the next on the point's side: no other can be nearer.
      const candidates = p.map((component, axis): readonly Expression[] => {
        const last = counts[axis] - 1
        if (last === 0) return [sub(component, 0)]
        const place = add(div(component, spacing[axis]), last / 2)
        const nearest = clamp(round(place), 0, last)
        const next = clamp(select(sub(place, nearest), sub(nearest, 1), add(nearest, 1)), 0, last)
        return [nearest, next].map((copy) => sub(component, mul(sub(copy, last / 2), spacing[axis])))
      })
      const [xs, ys, zs] = candidates
      const all = xs.flatMap((x) => ys.flatMap((y) => zs.map((z) => shape.at([x, y, z]))))
      return all.reduce((least, each) => min(least, each))
    },
    slope: shape.slope,
    box: {
      lower: shape.box.lower.map((low, axis) => low - most[axis]) as never,
      upper: shape.box.upper.map((high, axis) => high + most[axis]) as never,
    },
  }
}

/** Turned about the y axis by so much per metre of height. No distance any more: its sign is exact. @param rate [rad/m] */
export function twisted(shape: Shape, rate: number): Shape {
  requireNumber('twist', rate)
  const { lower, upper } = shape.box
  const reach = Math.hypot(Math.max(-lower[0], upper[0]), Math.max(-lower[2], upper[2]))
  return {
    at([x, y, z]) {
      const [c, s] = [cos(mul(rate, y)), sin(mul(rate, y))]
      return shape.at([add(mul(c, x), mul(s, z)), y, sub(mul(c, z), mul(s, x))])
    },
    slope: rate === 0 ? shape.slope : Infinity,
    box: { lower: [-reach, lower[1], -reach], upper: [reach, upper[1], reach] },
  }
}

/** Bent in x and y, by so much per metre along x. No distance any more: its sign is exact. @param rate [rad/m] */
export function bent(shape: Shape, rate: number): Shape {
  requireNumber('bend', rate)
  const { lower, upper } = shape.box
  const reach = Math.hypot(Math.max(-lower[0], upper[0]), Math.max(-lower[1], upper[1]))
  return {
    at([x, y, z]) {
      const [c, s] = [cos(mul(rate, x)), sin(mul(rate, x))]
      return shape.at([sub(mul(c, x), mul(s, y)), add(mul(s, x), mul(c, y)), z])
    },
    slope: rate === 0 ? shape.slope : Infinity,
    box: { lower: [-reach, -reach, lower[2]], upper: [reach, reach, upper[2]] },
  }
}

/** Columns of the rotation matrix of a quaternion. */
function columnsOf(turn: readonly [number, number, number, number]): [Vec3, Vec3, Vec3] {
  requireNumbers('shape: turn', turn, 'value', 4)
  const size = Math.hypot(...turn)
  requirePositive('length of the turn', size)
  const [x, y, z, w] = turn.map((value) => value / size)
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ]
}

/** The box around a box's corners elsewhere; a corner at infinity makes it infinite on every side that it may reach. */
function boxOfCorners({ lower, upper }: Box, outwards: (p: Vec3) => Vec3): Box {
  if (![...lower, ...upper].every(Number.isFinite)) {
    return { lower: [-Infinity, -Infinity, -Infinity], upper: [Infinity, Infinity, Infinity] }
  }
  const corners = Array.from({ length: 8 }, (_, i) =>
    outwards([0, 1, 2].map((axis) => ((i >> axis) & 1 ? upper[axis] : lower[axis])) as never),
  )
  return boxOfPoints(Float64Array.from(corners.flat()))
}
