/**
 * Analytic primitives as fields: exact distance and gradient, 1-Lipschitz, so a box is bounded by the distance at its
 * centre plus or minus half its diagonal. Sphere, box, capsule, torus, half-space: what obstacles are mostly made of, small
 * enough for the entry that every page loads. More of them, and operations, are expressions (`shapes/`). These stay as they
 * are: the drops that files were trained on repeat from their seed only while obstacles answer to the last digit as then.
 */
import type { Box, Vec3 } from '../math/box.js'
import { boxCentre, boxDiagonal } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireNumbers, requireQuery, shown } from '../math/require.js'
import { answerNotFinite } from './not-finite.js'
import type { SignedField } from './signed-field.js'

/** Distance at (x, y, z); writes the outward unit gradient. Where it is not unique, any of the nearest directions. */
type DistanceFunction = (x: number, y: number, z: number, gradient: Float64Array) => number

/** A ball. @param radius [m], positive */
export function fieldSphere(centre: Vec3, radius: number): SignedField {
  requirePlace('sphere centre', centre)
  requirePositive('sphere radius', radius)
  return analyticField((x, y, z, gradient) => {
    return towards(x - centre[0], y - centre[1], z - centre[2], gradient) - radius
  })
}

/** An axis-aligned box with its faces at centre +/- half. @param half half extents [m], positive */
export function fieldBox(centre: Vec3, half: Vec3): SignedField {
  requirePlace('box centre', centre)
  for (const extent of half) requirePositive('box half extent', extent)
  const offset = new Float64Array(3)
  const excess = new Float64Array(3)
  return analyticField((x, y, z, gradient) => {
    offset[0] = x - centre[0]
    offset[1] = y - centre[1]
    offset[2] = z - centre[2]
    let deepest = 0
    for (let axis = 0; axis < 3; axis++) {
      excess[axis] = Math.abs(offset[axis]) - half[axis]
      if (excess[axis] > excess[deepest]) deepest = axis
    }
    if (excess[deepest] <= 0) {
      gradient.fill(0)
      gradient[deepest] = offset[deepest] < 0 ? -1 : 1
      return excess[deepest]
    }
    const outside = (axis: number): number => Math.max(excess[axis], 0) * Math.sign(offset[axis])
    return towards(outside(0), outside(1), outside(2), gradient)
  })
}

/** All points within `radius` [m] of the segment from a to b. */
export function fieldCapsule(a: Vec3, b: Vec3, radius: number): SignedField {
  requirePlace('capsule start', a)
  requirePlace('capsule end', b)
  requirePositive('capsule radius', radius)
  const axis = b.map((end, k) => end - a[k])
  const lengthSquared = axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2
  return analyticField((x, y, z, gradient) => {
    const along = (x - a[0]) * axis[0] + (y - a[1]) * axis[1] + (z - a[2]) * axis[2]
    const t = lengthSquared > 0 ? Math.min(Math.max(along / lengthSquared, 0), 1) : 0
    return towards(x - a[0] - t * axis[0], y - a[1] - t * axis[1], z - a[2] - t * axis[2], gradient) - radius
  })
}

/** A torus about the y axis. @param ring radius of its centre circle [m]; @param tube radius of its tube [m] */
export function fieldTorus(centre: Vec3, ring: number, tube: number): SignedField {
  requirePlace('torus centre', centre)
  requirePositive('torus ring radius', ring)
  requirePositive('torus tube radius', tube)
  return analyticField((x, y, z, gradient) => {
    const dx = x - centre[0]
    const dz = z - centre[2]
    const radial = Math.hypot(dx, dz)
    const [ux, uz] = radial > 0 ? [dx / radial, dz / radial] : [1, 0]
    return towards(dx - ring * ux, y - centre[1], dz - ring * uz, gradient) - tube
  })
}

/** The half-space below a plane: negative where normal . p < offset. @param normal any length but zero */
export function fieldHalfSpace(normal: Vec3, offset: number): SignedField {
  const length = Math.hypot(...normal)
  requirePositive('half-space normal length', length)
  requirePlace('half-space', [offset, 0, 0])
  const [nx, ny, nz] = normal.map((component) => component / length)
  return analyticField((x, y, z, gradient) => {
    gradient.set([nx, ny, nz])
    return nx * x + ny * y + nz * z - offset / length
  })
}

function analyticField(distance: DistanceFunction): SignedField {
  const normal = new Float64Array(3)
  return {
    query(points: Floats, count: number, distances: Floats, gradients?: Floats) {
      requireQuery(points, count, distances, gradients)
      for (let i = 0; i < count; i++) {
        if (answerNotFinite(points, i, distances, gradients)) continue
        distances[i] = distance(points[3 * i], points[3 * i + 1], points[3 * i + 2], normal)
        gradients?.set(normal, 3 * i)
      }
    },
    bounds(box: Box) {
      const d = distance(...boxCentre(box), normal)
      const reach = boxDiagonal(box) / 2
      return [d - reach, d + reach]
    },
  }
}

/** Length of a vector; writes its direction, or +y at zero length. */
function towards(x: number, y: number, z: number, direction: Float64Array): number {
  const length = Math.hypot(x, y, z)
  direction[0] = length > 0 ? x / length : 0
  direction[1] = length > 0 ? y / length : 1
  direction[2] = length > 0 ? z / length : 0
  return length
}

function requirePositive(what: string, value: number): void {
  if (!(value > 0 && Number.isFinite(value)))
    throw new RangeError(`field: ${what} is ${shown(value)}; give a positive number.`)
}

function requirePlace(what: string, place: Vec3): void {
  requireNumbers(`field: ${what}`, place, 'coordinate', 3)
}
