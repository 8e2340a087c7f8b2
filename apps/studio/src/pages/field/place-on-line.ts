/** Dragging along an axis: the place on a line, parallel to an axis, that a ray passes nearest to. */
import type { Axis } from './slice-plane.js'

/** Below this sine squared the ray runs along the line, and a pixel would move by metres. */
const LEAST_SINE_SQUARED = 1e-4

/**
 * @param direction  of the ray, unit length
 * @param through    any point of the line
 * @returns          coordinate on the axis, or undefined if the ray runs along the line
 */
export function placeOnLine(
  origin: readonly number[],
  direction: readonly number[],
  through: readonly number[],
  axis: Axis,
): number | undefined {
  const cosine = direction[axis]
  const sineSquared = 1 - cosine * cosine
  if (sineSquared < LEAST_SINE_SQUARED) return undefined
  // Nearest points of two lines: (o - p) must be matched by s along the axis and t along the ray.
  const gap = [0, 1, 2].map((c) => origin[c] - through[c])
  const alongRay = gap[0] * direction[0] + gap[1] * direction[1] + gap[2] * direction[2]
  return through[axis] + (gap[axis] - cosine * alongRay) / sineSquared
}
