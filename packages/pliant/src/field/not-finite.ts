/** What every field answers to a point that is NaN or infinite: NaN, never a number that looks like a distance. */
import type { Floats } from '../math/floats.js'

/** Writes NaN for a point that is not finite; false, with nothing written, for all others. */
export function answerNotFinite(points: Floats, i: number, distances: Floats, gradients?: Floats): boolean {
  if (0 * points[3 * i] + 0 * points[3 * i + 1] + 0 * points[3 * i + 2] === 0) return false
  distances[i] = Number.NaN
  gradients?.fill(Number.NaN, 3 * i, 3 * i + 3)
  return true
}
