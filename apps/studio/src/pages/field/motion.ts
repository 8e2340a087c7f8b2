/** Smooth motion through the trained codes: every entry swings at its own pace, so the path does not repeat soon. */
export interface CodeRange {
  readonly lower: readonly number[]
  readonly upper: readonly number[]
}

/** Share of the trained range that is swung through. */
const REACH = 0.9
/** Of the first entry [rad/s]; each later one is slower by the golden ratio's root, which no two swings share. */
const PACE = 1.5
const SLOWDOWN = Math.sqrt((1 + Math.sqrt(5)) / 2)
/** Pace of entries beyond this one repeats, so that none comes to a stand. */
const PACES = 5
/** From the pose at the start onto the path [s]. */
const LEAD_IN = 1.2

/** The code `seconds` after the motion began at the code `start`. */
export function codeInMotion(range: CodeRange, start: ArrayLike<number>, seconds: number): number[] {
  const share = Math.min(1, seconds / LEAD_IN)
  const blend = share * share * (3 - 2 * share)
  return range.lower.map((lower, k) => {
    const middle = (lower + range.upper[k]) / 2
    const half = (range.upper[k] - lower) / 2
    const swing = Math.sin((PACE * seconds) / SLOWDOWN ** (k % PACES) + 2.4 * k)
    return start[k] + blend * (middle + REACH * half * swing - start[k])
  })
}

/** A code drawn evenly from the trained range. */
export function randomCode(range: CodeRange, uniform: () => number = Math.random): number[] {
  return range.lower.map((lower, k) => lower + (range.upper[k] - lower) * uniform())
}
