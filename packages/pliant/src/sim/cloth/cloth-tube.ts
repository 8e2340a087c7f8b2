/** A tube of cloth around an axis: skirts, sleeves, tunics, whatever its rings' radii make of it. */
import type { Vec3 } from '../../math/box.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { gridTriangles } from './cloth-grid.js'

export interface ClothTubeOptions {
  /** Middle of the first ring [m]. */
  from: Vec3
  /** Middle of the last ring [m]. */
  to: Vec3
  /** Rings along the axis, at least 2. */
  rings: number
  /** Vertices per ring, an even number of at least 4: diagonals alternate round the ring. */
  segments: number
  /** Radius [m] of a ring at an angle [rad]; `along` runs from 0 to 1. A number for a straight tube. */
  radius: number | ((along: number, angle: number) => number)
}

/** Two directions [unit] that span the plane across an axis, the same for the same axis. */
export interface AxisFrame {
  readonly direction: Vec3
  readonly u: Vec3
  readonly v: Vec3
  readonly length: number
}

/** Vertex `ring * segments + segment`; triangles face outward. @throws RangeError if a count or the axis is no tube */
export function clothTube(options: ClothTubeOptions): TriangleMesh {
  const { from, rings, segments, radius } = options
  if (!(Number.isInteger(rings) && rings >= 2)) {
    throw new RangeError(`cloth tube: ${rings} rings; give a whole number of at least 2.`)
  }
  if (!(Number.isInteger(segments) && segments >= 4 && segments % 2 === 0)) {
    throw new RangeError(`cloth tube: ${segments} segments; give an even number of at least 4.`)
  }
  const frame = axisFrame(from, options.to)
  const positions = new Float64Array(3 * rings * segments)
  for (let ring = 0; ring < rings; ring++) {
    const along = ring / (rings - 1)
    for (let segment = 0; segment < segments; segment++) {
      const angle = (2 * Math.PI * segment) / segments
      const r = typeof radius === 'number' ? radius : radius(along, angle)
      const direction = ringDirection(frame, angle)
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * (ring * segments + segment) + axis] =
          from[axis] + along * frame.length * frame.direction[axis] + r * direction[axis]
      }
    }
  }
  return { positions, triangles: gridTriangles(rings, segments, true) }
}

/** @throws RangeError if both ends are one place */
export function axisFrame(from: Vec3, to: Vec3): AxisFrame {
  const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
  const length = Math.hypot(d[0], d[1], d[2])
  if (!(length > 0 && length < Infinity)) {
    throw new RangeError(`cloth tube: its axis is ${length} m long; give two different places.`)
  }
  const [x, y, z] = d.map((value) => value / length)
  // Across the axis and the world axis that it follows least: never near zero.
  const u = unit(Math.abs(z) <= Math.max(Math.abs(x), Math.abs(y)) ? [y, -x, 0] : [0, z, -y])
  // u x direction: angles run so that rings one after the other face outward.
  const v: Vec3 = [u[1] * z - u[2] * y, u[2] * x - u[0] * z, u[0] * y - u[1] * x]
  return { direction: [x, y, z], u, v, length }
}

/** The direction outward from the axis at an angle [rad]. */
export function ringDirection({ u, v }: AxisFrame, angle: number): Vec3 {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return [c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2]]
}

function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}
