/**
 * Triangular solves with the panels of a sparse Cholesky factor (see panel-factor.ts), for one right-hand side and for
 * four at a time. Four share each number of the factor, and rows below the diagonal block go three (or two) at a time
 * and share each number of x: a sum by itself waits for its last addition.
 */

/** Right-hand sides in one turn of the `Four` functions: element i of side k is x[4 i + k]. */
export const LANES = 4

/**
 * x_own = L_own^-1 x_own, then x_rows -= L_below x_own.
 * @param rows  indices into x of the panel's rows, from `rowsFrom` to before `rowsTo`; the first `width` are its own
 */
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
  for (let local = 0; local < width; local++, at += width) {
    let sum = x[own + local]
    for (let k = 0; k < local; k++) sum -= values[at + k] * x[own + k]
    x[own + local] = sum / values[at + local]
  }
  let row = rowsFrom + width
  for (; row + 2 < rowsTo; row += 3, at += 3 * width) {
    const at1 = at + width
    const at2 = at1 + width
    let s0 = 0
    let s1 = 0
    let s2 = 0
    for (let k = 0; k < width; k++) {
      const value = x[own + k]
      s0 += values[at + k] * value
      s1 += values[at1 + k] * value
      s2 += values[at2 + k] * value
    }
    x[rows[row]] -= s0
    x[rows[row + 1]] -= s1
    x[rows[row + 2]] -= s2
  }
  for (; row < rowsTo; row++, at += width) {
    let sum = 0
    for (let k = 0; k < width; k++) sum += values[at + k] * x[own + k]
    x[rows[row]] -= sum
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
  let at = panel + width * width
  let row = rowsFrom + width
  for (; row + 2 < rowsTo; row += 3, at += 3 * width) {
    const at1 = at + width
    const at2 = at1 + width
    const x0 = x[rows[row]]
    const x1 = x[rows[row + 1]]
    const x2 = x[rows[row + 2]]
    for (let k = 0; k < width; k++) x[own + k] -= values[at + k] * x0 + values[at1 + k] * x1 + values[at2 + k] * x2
  }
  for (; row < rowsTo; row++, at += width) {
    const value = x[rows[row]]
    for (let k = 0; k < width; k++) x[own + k] -= values[at + k] * value
  }
  at = panel + (width - 1) * width
  for (let local = width - 1; local >= 0; local--, at -= width) {
    const value = x[own + local] / values[at + local]
    x[own + local] = value
    for (let k = 0; k < local; k++) x[own + k] -= values[at + k] * value
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
  for (let local = 0; local < width; local++, at += width) {
    const to = own + LANES * local
    const scale = 1 / values[at + local]
    for (let lane = 0; lane < LANES; lane++) {
      let sum = x[to + lane]
      for (let k = 0; k < local; k++) sum -= values[at + k] * x[own + LANES * k + lane]
      x[to + lane] = scale * sum
    }
  }
  for (let row = rowsFrom + width; row < rowsTo; row += 2, at += 2 * width) {
    // The last of an odd number of rows goes twice, and is counted once.
    const twin = row + 1 < rowsTo
    const at1 = twin ? at + width : at
    let s0 = 0
    let s1 = 0
    let s2 = 0
    let s3 = 0
    let t0 = 0
    let t1 = 0
    let t2 = 0
    let t3 = 0
    let from = own
    for (let k = 0; k < width; k++, from += LANES) {
      const l = values[at + k]
      const m = values[at1 + k]
      const x0 = x[from]
      const x1 = x[from + 1]
      const x2 = x[from + 2]
      const x3 = x[from + 3]
      s0 += l * x0
      s1 += l * x1
      s2 += l * x2
      s3 += l * x3
      t0 += m * x0
      t1 += m * x1
      t2 += m * x2
      t3 += m * x3
    }
    subtractLanes(x, rows[row], s0, s1, s2, s3)
    if (twin) subtractLanes(x, rows[row + 1], t0, t1, t2, t3)
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
  let at = panel + width * width
  for (let row = rowsFrom + width; row < rowsTo; row++, at += width) {
    subtractMultiples(values, at, width, x, LANES * rows[row], own)
  }
  at = panel + (width - 1) * width
  for (let local = width - 1; local >= 0; local--, at -= width) {
    const index = own + LANES * local
    const scale = 1 / values[at + local]
    for (let lane = 0; lane < LANES; lane++) x[index + lane] *= scale
    subtractMultiples(values, at, local, x, index, own)
  }
}

/** Takes a row of the factor, times the four numbers at `from`, away from the `count` numbers of each side at `to`. */
function subtractMultiples(
  values: Float64Array,
  at: number,
  count: number,
  x: Float64Array,
  from: number,
  to: number,
): void {
  const x0 = x[from]
  const x1 = x[from + 1]
  const x2 = x[from + 2]
  const x3 = x[from + 3]
  for (let k = 0, target = to; k < count; k++, target += LANES) {
    const l = values[at + k]
    x[target] -= l * x0
    x[target + 1] -= l * x1
    x[target + 2] -= l * x2
    x[target + 3] -= l * x3
  }
}

function subtractLanes(x: Float64Array, index: number, s0: number, s1: number, s2: number, s3: number): void {
  const at = LANES * index
  x[at] -= s0
  x[at + 1] -= s1
  x[at + 2] -= s2
  x[at + 3] -= s3
}
