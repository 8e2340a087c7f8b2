/** From a code to the other side of the boundary between free codes and touching ones, in steps that double. */
import type { ContactLabels } from './contact-labels.js'

/** The first step, in the unit of the code, and how often it may double. */
const FIRST_STEP = 0.02
const MOST_STEPS = 6

/** Two codes, one of either side. */
export type Ends = readonly [free: ArrayLike<number>, touching: ArrayLike<number>]

/**
 * @param direction  of unit length, towards free codes: from a free code the way goes against it
 * @returns the two codes at the ends of the step across; undefined if the way leaves the box before, or is too long
 */
export function acrossBoundary(
  isFree: (code: ArrayLike<number>) => boolean,
  { lower, upper }: ContactLabels['bounds'],
  code: Float32Array,
  direction: Float32Array,
): Ends | undefined {
  const startsFree = isFree(code)
  let last = Float64Array.from(code)
  for (let step = 0, size = FIRST_STEP; step < MOST_STEPS; step++, size *= 2) {
    const next = last.map((value, k) => value + (startsFree ? -size : size) * direction[k])
    if (next.some((value, k) => value < lower[k] || value > upper[k])) return undefined
    if (isFree(next) !== startsFree) return startsFree ? [last, next] : [next, last]
    last = next
  }
  return undefined
}
