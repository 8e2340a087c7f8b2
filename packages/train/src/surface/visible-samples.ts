/** Points of the original surface that can be seen from outside the body, and how far a new surface passes from them. */
import type { Floats, TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { sampleSurface } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'
import { placesOf, type SurfacePlaces } from './transfer-weights.js'

/**
 * Evenly spread over the shells; those whose outer side is inside the body are left out.
 * @param rest  positions at rest, triangles counter-clockwise from outside
 * @param step  how far off the surface to look [m]
 */
export function visibleSamples(
  rest: { positions: Float64Array; triangles: Uint32Array },
  inside: (x: number, y: number, z: number) => boolean,
  step: number,
  count: number,
  seed: number,
): SurfacePlaces {
  const points = new Float64Array(3 * count)
  const normals = new Float64Array(3 * count)
  const triangleIds = new Uint32Array(count)
  sampleSurface(rest, count, streamOf('surfaceDeviation', seed), { points, normals, triangleIds })
  const seen: number[] = []
  const corners: number[] = []
  for (let i = 0; i < count; i++) {
    const at = (axis: number): number => points[3 * i + axis] + step * normals[3 * i + axis]
    if (inside(at(0), at(1), at(2))) continue
    const t = 3 * triangleIds[i]
    seen.push(points[3 * i], points[3 * i + 1], points[3 * i + 2])
    corners.push(rest.triangles[t], rest.triangles[t + 1], rest.triangles[t + 2])
  }
  return placesOf(rest.positions, Uint32Array.from(corners), Float64Array.from(seen))
}

/** Where the samples are when the surface is posed. @param positions  the original's vertices [m] */
export function placeSamples({ corners, shares }: SurfacePlaces, positions: Floats): Float64Array {
  const points = new Float64Array(corners.length)
  for (let i = 0; i < corners.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      for (let k = i; k < i + 3; k++) points[i + axis] += shares[k] * positions[3 * corners[k] + axis]
    }
  }
  return points
}

/** Unsigned distances [m] of points from a surface, and the triangle that each is nearest to. */
export function distancesTo(
  mesh: TriangleMesh,
  points: Float64Array,
): { distances: Float64Array; nearest: Uint32Array } {
  const count = points.length / 3
  const distances = new Float64Array(count)
  const nearest = new Uint32Array(count)
  new ExactMeshField(mesh, { sign: 'pseudonormal' }).closest(points, count, { distances, triangleIds: nearest })
  return { distances: distances.map(Math.abs), nearest }
}
