/** Points to ask about a shape: anywhere in its box, as the papers do, and near its surface, where cloth and tools really are. */
import { streamOf } from '@pliant/train/unstable/streams'
import { boxOfPoints } from 'pliant'
import { sampleSurface } from 'pliant/unstable'

export const POINT_KINDS = ['uniform', 'near'] as const
export type PointKind = (typeof POINT_KINDS)[number]

/** Near points lie within this share of the shape's half-size from its surface. */
const NEAR = 0.03

/** @param stream  tells one draw from another */
export function drawPointsAbout(
  mesh: { positions: Float64Array; triangles: Uint32Array },
  kind: PointKind,
  count: number,
  stream: number,
): Float32Array {
  const random = streamOf('benchPoints', 4, stream)
  const { lower, upper } = boxOfPoints(mesh.positions)
  const points = new Float32Array(3 * count)
  if (kind === 'uniform') {
    for (let i = 0; i < points.length; i++) points[i] = random.between(lower[i % 3], upper[i % 3])
    return points
  }
  const reach = (NEAR / 2) * Math.max(...[0, 1, 2].map((axis) => upper[axis] - lower[axis]))
  const normals = new Float32Array(3 * count)
  sampleSurface(mesh, count, random, { points, normals })
  for (let i = 0; i < count; i++) {
    const offset = random.between(-reach, reach)
    for (let axis = 3 * i; axis < 3 * i + 3; axis++) points[axis] += offset * normals[axis]
  }
  return points
}
