/**
 * Which points a field is judged at, whatever it is of: the one statement that every figure goes by. Of each pose a
 * fifth lies on the surface, three fifths near it, a fifth anywhere in the box around the shape that is a band wider on
 * each side. Distances and normals count in the band, off the surface; points on the surface, beyond the band, and next
 * to a surface that is hidden inside the body are told apart (tally.ts).
 */
import { boxExpand, boxOfPoints, type Random, type TriangleMesh } from 'pliant'
import { samplePoints } from '../sample/points.js'

export const JUDGED_MIX = { surface: 0.2, near: 0.6, uniform: 0.2 } as const

/** Half-width of the band, in sizes: the diagonal of an object at rest, the height of a character. */
export const BAND = 0.05

/**
 * @param size        [m]
 * @param truncation  up to which the field was trained [m], where that is less
 * @returns half-width of the band [m]
 */
export function bandOf(size: number, truncation = Number.POSITIVE_INFINITY): number {
  return Math.min(BAND * size, truncation)
}

/** Where only errors near the surface are asked for. */
export const NEAR_ALONE = { surface: 0, near: 1, uniform: 0 } as const

/** @param out  receives `count` points [m] */
export function drawJudgedPoints(
  mesh: TriangleMesh,
  band: number,
  count: number,
  random: Random,
  out: Float32Array | Float64Array,
  mix: { surface: number; near: number; uniform: number } = JUDGED_MIX,
): void {
  const around = boxExpand(boxOfPoints(mesh.positions), band)
  // Half the band as spread puts most near points inside it and some beyond its edge.
  samplePoints(mesh, around, mix, band / 2, count, random, out)
}
