/** Rows times a matrix whose transposed lies in memory: products of rows, four rows and two columns at a time. */

/**
 * @param rows        [count, inputs]
 * @param transposed  [outputs, inputs]
 * @param out         receives [count, outputs]
 */
export function multiplyRows(
  rows: Float64Array,
  count: number,
  inputs: number,
  transposed: Float64Array,
  outputs: number,
  out: Float64Array,
): void {
  const fours = count & ~3
  const pairs = outputs & ~1
  for (let r = 0; r < fours; r += 4) {
    const [r0, r1, r2, r3] = [r * inputs, (r + 1) * inputs, (r + 2) * inputs, (r + 3) * inputs]
    for (let c = 0; c < pairs; c += 2) {
      const c0 = c * inputs
      const c1 = c0 + inputs
      let [s00, s01, s10, s11, s20, s21, s30, s31] = [0, 0, 0, 0, 0, 0, 0, 0]
      for (let i = 0; i < inputs; i++) {
        const w0 = transposed[c0 + i]
        const w1 = transposed[c1 + i]
        const x0 = rows[r0 + i]
        const x1 = rows[r1 + i]
        const x2 = rows[r2 + i]
        const x3 = rows[r3 + i]
        s00 += x0 * w0
        s01 += x0 * w1
        s10 += x1 * w0
        s11 += x1 * w1
        s20 += x2 * w0
        s21 += x2 * w1
        s30 += x3 * w0
        s31 += x3 * w1
      }
      const at = r * outputs + c
      out[at] = s00
      out[at + 1] = s01
      out[at + outputs] = s10
      out[at + outputs + 1] = s11
      out[at + 2 * outputs] = s20
      out[at + 2 * outputs + 1] = s21
      out[at + 3 * outputs] = s30
      out[at + 3 * outputs + 1] = s31
    }
  }
  // The last column of an odd number, and the last rows.
  for (let r = 0; r < count; r++) {
    for (let c = r < fours ? pairs : 0; c < outputs; c++) {
      let sum = 0
      for (let i = 0; i < inputs; i++) sum += rows[r * inputs + i] * transposed[c * inputs + i]
      out[r * outputs + c] = sum
    }
  }
}
