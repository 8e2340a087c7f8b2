/** Codes drawn evenly from a box. */
import type { Random } from 'pliant'

export function uniformCodes(
  { lower, upper }: { readonly lower: Float64Array; readonly upper: Float64Array },
  count: number,
  random: Random,
): Float32Array {
  const size = lower.length
  const codes = new Float32Array(count * size)
  for (let i = 0; i < codes.length; i++) codes[i] = random.between(lower[i % size], upper[i % size])
  return codes
}
