/** A tube of cloth around a path: skirts, sleeves, tunics, whatever its rings' radii make of it. */
import type { Vec3 } from '../../math/box.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { gridTriangles } from './cloth-grid.js'
import { ringDirection, ringFrames } from './ring-frames.js'

/** A tube of cloth around a path: skirts, sleeves, tunics, whatever its radii make of it. */
export interface ClothTubeOptions {
  /** Places [m] that its axis goes through; the first and the last are the middles of the outer rings. */
  path: readonly Vec3[]
  /** Rings along the axis, at least 2. */
  rings: number
  /** Vertices per ring, an even number of at least 4: diagonals alternate round the ring. */
  segments: number
  /** Radius [m] by ring and segment. A number for a straight tube. */
  radius: number | ((ring: number, segment: number) => number)
}

/**
 * A tube of cloth around a path. Vertex `ring * segments + segment`; triangles face outward.
 * @throws RangeError if a count or the path is no tube
 */
export function clothTube(options: ClothTubeOptions): TriangleMesh {
  const { path, rings, segments, radius } = options
  if (!(Number.isInteger(rings) && rings >= 2)) {
    throw new RangeError(`cloth tube: ${rings} rings; give a whole number of at least 2.`)
  }
  if (!(Number.isInteger(segments) && segments >= 4 && segments % 2 === 0)) {
    throw new RangeError(`cloth tube: ${segments} segments; give an even number of at least 4.`)
  }
  const positions = new Float64Array(3 * rings * segments)
  ringFrames(path, rings).forEach((frame, ring) => {
    for (let segment = 0; segment < segments; segment++) {
      const r = typeof radius === 'number' ? radius : radius(ring, segment)
      const direction = ringDirection(frame, (2 * Math.PI * segment) / segments)
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * (ring * segments + segment) + axis] = frame.centre[axis] + r * direction[axis]
      }
    }
  })
  return { positions, triangles: gridTriangles(rings, segments, true) }
}
