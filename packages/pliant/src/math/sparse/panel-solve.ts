/**
 * Triangular solves with the panels of a sparse Cholesky factor (see panel-factor.ts), for one right-hand side and for
 * four at a time. Four share each number of the factor, which is what a solve waits for.
 */

/** Right-hand sides in one turn of the `Four` functions: element i of side k is x[4 i + k]. */
export const LANES = 4

/** x_own = L_own^-1 x_own, then x_rows -= L_below x_own. `rows` are the panel's rows as indices of x, `own` the first. */
export function forwardOne(
  values: Float64Array,
  panel: number,
  width: number,
  rows: Int32Array,
  rowsFrom: number,
  rowsTo: number,
  x: Float64Array,
): void {
  const own = rows[rowsFrom]
  let at = panel
  for (let row = rowsFrom; row < rowsTo; row++, at += width) {
    const local = row - rowsFrom
    const count = Math.min(local, width)
    let sum = 0
    for (let k = 0; k < count; k++) sum += values[at + k] * x[own + k]
    const index = rows[row]
    if (local < width) x[index] = (x[index] - sum) / values[at + local]
    else x[index] -= sum
  }
}

/** x_own -= L_below^T x_rows, then x_own = L_own^-T x_own. */
export function backwardOne(
  values: Float64Array,
  panel: number,
  width: number,
  rows: Int32Array,
  rowsFrom: number,
  rowsTo: number,
  x: Float64Array,
): void {
  const own = rows[rowsFrom]
  let at = panel + (rowsTo - rowsFrom - 1) * width
  for (let row = rowsTo - 1; row >= rowsFrom; row--, at -= width) {
    const local = row - rowsFrom
    const index = rows[row]
    if (local < width) x[index] /= values[at + local]
    const value = x[index]
    const count = Math.min(local, width)
    for (let k = 0; k < count; k++) x[own + k] -= values[at + k] * value
  }
}

/** As `forwardOne`, four right-hand sides. */
export function forwardFour(
  values: Float64Array,
  panel: number,
  width: number,
  rows: Int32Array,
  rowsFrom: number,
  rowsTo: number,
  x: Float64Array,
): void {
  const own = LANES * rows[rowsFrom]
  let at = panel
  for (let row = rowsFrom; row < rowsTo; row++, at += width) {
    const local = row - rowsFrom
    const count = Math.min(local, width)
    let [s0, s1, s2, s3] = [0, 0, 0, 0]
    let from = own
    for (let k = 0; k < count; k++, from += LANES) {
      const l = values[at + k]
      s0 += l * x[from]
      s1 += l * x[from + 1]
      s2 += l * x[from + 2]
      s3 += l * x[from + 3]
    }
    const index = LANES * rows[row]
    const scale = local < width ? 1 / values[at + local] : 1
    x[index] = scale * (x[index] - s0)
    x[index + 1] = scale * (x[index + 1] - s1)
    x[index + 2] = scale * (x[index + 2] - s2)
    x[index + 3] = scale * (x[index + 3] - s3)
  }
}

/** As `backwardOne`, four right-hand sides. */
export function backwardFour(
  values: Float64Array,
  panel: number,
  width: number,
  rows: Int32Array,
  rowsFrom: number,
  rowsTo: number,
  x: Float64Array,
): void {
  const own = LANES * rows[rowsFrom]
  let at = panel + (rowsTo - rowsFrom - 1) * width
  for (let row = rowsTo - 1; row >= rowsFrom; row--, at -= width) {
    const local = row - rowsFrom
    const index = LANES * rows[row]
    const scale = local < width ? 1 / values[at + local] : 1
    const x0 = scale * x[index]
    const x1 = scale * x[index + 1]
    const x2 = scale * x[index + 2]
    const x3 = scale * x[index + 3]
    if (local < width) {
      x[index] = x0
      x[index + 1] = x1
      x[index + 2] = x2
      x[index + 3] = x3
    }
    const count = Math.min(local, width)
    let to = own
    for (let k = 0; k < count; k++, to += LANES) {
      const l = values[at + k]
      x[to] -= l * x0
      x[to + 1] -= l * x1
      x[to + 2] -= l * x2
      x[to + 3] -= l * x3
    }
  }
}
