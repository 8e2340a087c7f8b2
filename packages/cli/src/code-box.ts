/** Codes beside the box that was trained. */

/** Share of the box by which a code in single precision may lie outside without being told so. */
const ROUNDING = 1e-6

/** How many codes lie outside. @param codes one after the other */
export function outsideBox(
  codes: ArrayLike<number>,
  { size, lower, upper }: { size: number; lower: ArrayLike<number>; upper: ArrayLike<number> },
): number {
  let outside = 0
  for (let at = 0; at < codes.length; at += size) {
    for (let k = 0; k < size; k++) {
      const slack = ROUNDING * (upper[k] - lower[k])
      if (codes[at + k] >= lower[k] - slack && codes[at + k] <= upper[k] + slack) continue
      outside++
      break
    }
  }
  return outside
}
