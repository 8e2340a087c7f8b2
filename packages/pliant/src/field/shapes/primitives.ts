/**
 * The usual primitives, about the origin, their axis y. Distances are exact inside and outside but where it says otherwise;
 * formulas after Quilez's catalogue of distance functions, which Liu et al. build on.
 */
import { EVERYWHERE, type Vec3 } from '../../math/box.js'
import {
  abs,
  add,
  clamp,
  div,
  dot,
  length,
  max,
  min,
  mul,
  type Place,
  sqrt,
  square,
  sub,
} from '../expression/expression.js'
import { boxAround, requireNumber, requirePlace, requirePositive, type Shape } from './shape.js'

/** A ball. @param radius [m] */
export function sphere(radius: number): Shape {
  requirePositive('sphere radius', radius)
  return { at: (p) => sub(length(...p), radius), slope: 1, box: boxAround([radius, radius, radius]) }
}

/** A box. @param half  half its sides [m]; @param rounding  radius of its edges [m], less than each half */
export function box(half: Vec3, rounding = 0): Shape {
  for (const side of half) requirePositive('box half extent', side)
  requirePlace('box half extents', half)
  if (!(rounding >= 0 && rounding <= Math.min(...half))) {
    throw new RangeError(`shape: box rounding is ${rounding}; give 0 to ${Math.min(...half)}, half its least side.`)
  }
  const sharp = half.map((side) => side - rounding) as unknown as Vec3
  return {
    at(p) {
      const [x, y, z] = p.map((component, axis) => sub(abs(component), sharp[axis]))
      return sub(add(length(max(x, 0), max(y, 0), max(z, 0)), min(max(x, y, z), 0)), rounding)
    },
    slope: 1,
    box: boxAround(half),
  }
}

/** Only the edges of a box. @param half  half its sides [m]; @param thickness  of the bars, half [m] */
export function boxFrame(half: Vec3, thickness: number): Shape {
  requirePlace('box frame half extents', half)
  for (const side of half) requirePositive('box frame half extent', side)
  requirePositive('box frame thickness', thickness)
  return {
    at(p) {
      // From the corner inwards; a bar along each axis is the same but for which coordinate stays.
      const outer = p.map((component, axis) => sub(abs(component), half[axis]))
      const inner = outer.map((component) => sub(abs(add(component, thickness)), thickness))
      const bar = (axis: number) => {
        const [x, y, z] = outer.map((component, k) => (k === axis ? component : inner[k]))
        return add(length(max(x, 0), max(y, 0), max(z, 0)), min(max(x, y, z), 0))
      }
      return min(bar(0), bar(1), bar(2))
    },
    slope: 1,
    box: boxAround(half),
  }
}

/** A ring about the y axis. @param ring  radius of its centre circle [m]; @param tube  of its tube [m] */
export function torus(ring: number, tube: number): Shape {
  requirePositive('torus ring radius', ring)
  requirePositive('torus tube radius', tube)
  return {
    at: ([x, y, z]) => sub(length(sub(length(x, z), ring), y), tube),
    slope: 1,
    box: boxAround([ring + tube, tube, ring + tube]),
  }
}

/** A link of a chain: a torus pulled apart along y. @param half  of the straight parts [m] */
export function link(half: number, ring: number, tube: number): Shape {
  requirePositive('link half length', half)
  requirePositive('link ring radius', ring)
  requirePositive('link tube radius', tube)
  return {
    at([x, y, z]) {
      const beyond = max(sub(abs(y), half), 0)
      return sub(length(sub(length(x, beyond), ring), z), tube)
    },
    slope: 1,
    box: boxAround([ring + tube, half + ring + tube, tube]),
  }
}

/** All points within `radius` [m] of the segment from a to b. */
export function capsule(a: Vec3, b: Vec3, radius: number): Shape {
  requirePlace('capsule start', a)
  requirePlace('capsule end', b)
  requirePositive('capsule radius', radius)
  const along: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const squared = along[0] ** 2 + along[1] ** 2 + along[2] ** 2
  return {
    at(p) {
      const from = p.map((component, axis) => sub(component, a[axis])) as unknown as Place
      const share = squared > 0 ? clamp(div(dot(from, along), squared), 0, 1) : 0
      const [x, y, z] = from.map((component, axis) => sub(component, mul(share, along[axis])))
      return sub(length(x, y, z), radius)
    },
    slope: 1,
    box: {
      lower: [0, 1, 2].map((k) => Math.min(a[k], b[k]) - radius) as unknown as Vec3,
      upper: [0, 1, 2].map((k) => Math.max(a[k], b[k]) + radius) as unknown as Vec3,
    },
  }
}

/** An upright cylinder. @param half  half its height [m] */
export function cylinder(radius: number, half: number): Shape {
  requirePositive('cylinder radius', radius)
  requirePositive('cylinder half height', half)
  return {
    at([x, y, z]) {
      const out = sub(length(x, z), radius)
      const above = sub(abs(y), half)
      return add(min(max(out, above), 0), length(max(out, 0), max(above, 0)))
    },
    slope: 1,
    box: boxAround([radius, half, radius]),
  }
}

/**
 * An ellipsoid. There is no closed form of its distance: this has its sign and its slope at the surface, and is off by up
 * to the ratio of its radii beside it.
 * @param radii  [m]
 */
export function ellipsoid(radii: Vec3): Shape {
  requirePlace('ellipsoid radii', radii)
  for (const radius of radii) requirePositive('ellipsoid radius', radius)
  const least = Math.min(...radii)
  return {
    at(p) {
      // k (k - 1) / |gradient of k^2 / 2|, where k is the length in units of the radii. In the middle that is 0 / 0, so both
      // get a little, by which it is as deep there as the least radius.
      const [x, y, z] = p.map((component, axis) => div(component, radii[axis]))
      const [gx, gy, gz] = p.map((component, axis) => div(component, radii[axis] ** 2))
      const k = length(x, y, z)
      return div(mul(add(k, MIDDLE), sub(k, 1)), add(length(gx, gy, gz), MIDDLE / least))
    },
    slope: Infinity,
    box: boxAround(radii),
  }
}

/** In units of the radii: where the middle of an ellipsoid is rounded off. */
const MIDDLE = 1e-3

/** An octahedron with its corners at this distance along the axes [m]; beyond its edges and corners nearer than it is. */
export function octahedron(radius: number): Shape {
  requirePositive('octahedron radius', radius)
  return {
    at: ([x, y, z]) => mul(sub(add(abs(x), abs(y), abs(z)), radius), Math.sqrt(1 / 3)),
    slope: 1,
    box: boxAround([radius, radius, radius]),
  }
}

/** All that lies below a plane: normal . p < offset. @param normal  of any length but zero */
export function halfSpace(normal: Vec3, offset: number): Shape {
  requirePlace('half-space normal', normal)
  requireNumber('half-space offset', offset)
  const size = Math.hypot(...normal)
  requirePositive('half-space normal length', size)
  const [x, y, z] = normal.map((component) => component / size)
  return { at: (p) => sub(dot(p, [x, y, z]), offset / size), slope: 1, box: EVERYWHERE }
}

/** A body from a ball at the origin to one above it, with the cone that touches both. @param height  of the upper centre [m] */
export function roundCone(lower: number, upper: number, height: number): Shape {
  requirePositive('round cone lower radius', lower)
  requirePositive('round cone upper radius', upper)
  requirePositive('round cone height', height)
  const sine = (lower - upper) / height
  if (!(Math.abs(sine) < 1)) {
    throw new RangeError(
      `shape: round cone of height ${height} is one ball in the other; give a height above ${Math.abs(lower - upper)}.`,
    )
  }
  const cosine = Math.sqrt(1 - sine * sine)
  return {
    at([x, y, z]) {
      // The nearest ball of the row between both ends, whose radius falls with its height.
      const out = length(x, z)
      const share = clamp(div(sub(y, mul(out, sine / cosine)), height), 0, 1)
      const centre = mul(share, height)
      return sub(length(out, sub(y, centre)), add(lower, mul(share, upper - lower)))
    },
    slope: 1,
    box: {
      lower: [-Math.max(lower, upper), Math.min(-lower, height - upper), -Math.max(lower, upper)],
      upper: [Math.max(lower, upper), Math.max(lower, height + upper), Math.max(lower, upper)],
    },
  }
}

/**
 * The heart of Liu et al., Eq. 7, upright, its point downwards: a ball of space that is folded and leans forward. As a
 * length and not squared, so that it changes about as distances do.
 * @param size  half its width, about [m]
 */
export function heart(size: number): Shape {
  requirePositive('heart size', size)
  const unit = size / HEART_RADIUS
  return {
    at([x, y, z]) {
      const across = abs(div(x, unit))
      const up = div(y, unit)
      // Beyond |x| = 15 nothing is inside, so the root may stop short of 0, where it would be infinitely steep.
      const lobe = mul(across, sqrt(div(sub(20, min(across, 18)), 15)))
      const [u, v, w] = [across, sub(add(4, mul(1.2, up)), lobe), sub(div(z, unit), div(up, 15))]
      return mul(unit, sub(sqrt(add(square(u), square(v), square(w))), HEART_RADIUS))
    },
    slope: Infinity,
    box: {
      lower: [-size, -HEART_BOX[0] * unit, -HEART_BOX[2] * unit],
      upper: [size, HEART_BOX[1] * unit, HEART_BOX[2] * unit],
    },
  }
}

const HEART_RADIUS = 15
/** How far it reaches down (x = v + 15 = 0), up (about x = 7.7) and to the front (w = 15, leaning by y / 15). */
const HEART_BOX = [15.84, 13.22, 16.06] as const
