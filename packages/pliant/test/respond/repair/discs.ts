/** Clearances in closed form: of a point in the plane from discs of radius 1 around (0, 0) and (4, 0). */
import type { ClearanceField } from '../../../src/respond/repair/recorded-motion.js'

/** @param off  by how much clearances are too large */
export function discs(off = 0): ClearanceField {
  const at = new Float64Array(2)
  return {
    codeSize: 2,
    pairs: ['first', 'second'],
    clearances(code, out) {
      at.set([code[0], code[1]])
      for (const [pair, x] of [0, 4].entries()) out[pair] = Math.hypot(code[0] - x, code[1]) - 1 + off
    },
    pullBackClearances(by, out) {
      out.fill(0)
      for (const [pair, x] of [0, 4].entries()) {
        const length = Math.hypot(at[0] - x, at[1])
        out[0] += (by[pair] * (at[0] - x)) / length
        out[1] += (by[pair] * at[1]) / length
      }
    },
  }
}
