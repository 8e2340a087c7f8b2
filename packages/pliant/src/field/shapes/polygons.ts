/**
 * Bodies of convex polygons, exactly: pulled along z to prisms, or turned about the y axis to cones. Inside, the nearest
 * side is that of the nearest line; outside, the nearest of the sides counts.
 */
import {
  abs,
  add,
  clamp,
  div,
  type Expression,
  length,
  max,
  min,
  mul,
  select,
  sqrt,
  square,
  sub,
  type Term,
} from '../expression/expression.js'
import { boxAround, requireNumber, requirePositive, type Shape } from './shape.js'

/** Corners of a convex polygon, counterclockwise. */
export type Polygon = readonly (readonly [number, number])[]

/** A prism: a convex polygon in x and y, pulled to `half` on either side along z [m]. */
export function prism(polygon: Polygon, half: number): Shape {
  requireConvex(polygon)
  requirePositive('prism half length', half)
  const [lower, upper] = [Math.min, Math.max].map((pick) =>
    [0, 1].map((k) => pick(...polygon.map((corner) => corner[k]))),
  )
  return {
    at([x, y, z]) {
      const across = polygonDistance(polygon, x, y)
      const along = sub(abs(z), half)
      return add(min(max(across, along), 0), length(max(across, 0), max(along, 0)))
    },
    slope: 1,
    box: { lower: [lower[0], lower[1], -half], upper: [upper[0], upper[1], half] },
  }
}

/** A regular prism, such as a hexagonal one. @param radius  to its corners [m] */
export function regularPrism(sides: number, radius: number, half: number): Shape {
  if (!(Number.isInteger(sides) && sides >= 3 && sides <= 100)) {
    throw new RangeError(`shape: a prism of ${sides} sides; give 3 to 100.`)
  }
  requirePositive('prism radius', radius)
  const corners = Array.from({ length: sides }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * (i + 0.5)) / sides - Math.PI / 2
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  })
  return prism(corners, half)
}

/** A cone with its tip up, cut off where `top` is not 0; the origin is halfway up. @param base,top  radii [m] */
export function cone(base: number, top: number, half: number): Shape {
  requirePositive('cone base radius', base)
  if (top !== 0) requirePositive('cone top radius', top)
  requirePositive('cone half height', half)
  const corners: [number, number][] = [
    [0, -half],
    [base, -half],
    ...(top > 0 ? [[top, half] as [number, number]] : []),
    [0, half],
  ]
  const radius = Math.max(base, top)
  return {
    at: ([x, y, z]) => polygonDistance(corners, length(x, z), y),
    slope: 1,
    box: boxAround([radius, half, radius]),
  }
}

/** Distance in the plane. Sides on the axis x = 0 of a polygon that begins there are none: a body turned about it goes on. */
function polygonDistance(polygon: Polygon, x: Term, y: Term): Expression {
  const sides = polygon
    .map((from, i) => ({ from, to: polygon[(i + 1) % polygon.length] }))
    .filter(({ from, to }) => from[0] !== 0 || to[0] !== 0)
  const beyond = sides.map(({ from, to }) => {
    const [ex, ey] = [to[0] - from[0], to[1] - from[1]]
    const size = Math.hypot(ex, ey)
    return add(mul(ey / size, sub(x, from[0])), mul(-ex / size, sub(y, from[1])))
  })
  const squares = sides.map(({ from, to }) => {
    const [ex, ey] = [to[0] - from[0], to[1] - from[1]]
    const [px, py] = [sub(x, from[0]), sub(y, from[1])]
    const share = clamp(div(add(mul(px, ex), mul(py, ey)), ex * ex + ey * ey), 0, 1)
    return add(square(sub(px, mul(share, ex))), square(sub(py, mul(share, ey))))
  })
  const inside = max(beyond[0], ...beyond.slice(1))
  return select(inside, inside, sqrt(min(squares[0], ...squares.slice(1))))
}

function requireConvex(polygon: Polygon): void {
  if (!Array.isArray(polygon) || polygon.length < 3 || polygon.length > 1000) {
    throw new RangeError(`shape: a polygon of ${polygon?.length} corners; give 3 to 1,000.`)
  }
  polygon.forEach((corner, i) => {
    for (const value of [corner[0], corner[1]]) requireNumber(`polygon corner ${i}`, value)
    const [a, b, c] = [0, 1, 2].map((k) => polygon[(i + k) % polygon.length])
    if ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0) return
    throw new RangeError(
      `shape: the polygon is not convex at corner ${(i + 1) % polygon.length}; give corners counterclockwise, and split others.`,
    )
  })
}
