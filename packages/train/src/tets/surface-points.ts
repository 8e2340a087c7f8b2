/** Points spread over a surface by area, with normals, to lay another surface through it and to measure how far the two lie apart. */

import type { TriangleMesh } from 'pliant'
import type { ExactMeshField } from 'pliant/exact'
import { boxDiagonal, meshBox, sampleSurface } from 'pliant/unstable'
import { SHAPE_SEED, streamOf } from '../streams/random-streams.js'

export interface SurfacePoints {
  /** xyz triples [m]. */
  points: Float64Array
  /** Unit normals of the triangles that they lie on. */
  normals: Float64Array
}

/** A point lies on the outside if the field changes sign over so much of the diagonal on either side. */
const STEP = 1e-5

/** @param field if given, only points between inside and outside are kept: those of a part within another one are not */
export function surfacePoints(surface: TriangleMesh, count: number, field?: ExactMeshField): SurfacePoints {
  const all = { points: new Float64Array(3 * count), normals: new Float64Array(3 * count) }
  sampleSurface(surface, count, streamOf('fillingPoints', SHAPE_SEED), all)
  if (!field) return all
  const reach = STEP * boxDiagonal(meshBox(surface))
  const side = (sign: number): Float64Array => {
    const distances = new Float64Array(count)
    field.query(
      all.points.map((value, i) => value + sign * reach * all.normals[i]),
      count,
      distances,
    )
    return distances
  }
  const [above, below] = [side(1), side(-1)]
  const kept = (_: number, i: number): boolean => above[Math.trunc(i / 3)] < 0 !== below[Math.trunc(i / 3)] < 0
  return { points: all.points.filter(kept), normals: all.normals.filter(kept) }
}
