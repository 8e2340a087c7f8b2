/**
 * Dense arithmetic of a sparse Cholesky factorisation. A panel is row-major: `rows` rows of `width` numbers, the first
 * `width` rows being the lower triangle of the diagonal block (what is above its diagonal is never read). Work goes in
 * tiles of 3 x 3 numbers that share six loads for nine products, and fit a body's three unknowns per node. Sums are
 * declared one by one: taken apart from an array of zeros they cost a fifth of the whole factorisation.
 */

/** A pivot below this share of its diagonal entry is rounding: the matrix is singular as far as doubles can tell. */
const SMALLEST_PIVOT = 1e-14

/**
 * Subtracts what a panel of earlier columns contributes to a later panel: L_i . L_j for its rows i of [from, to) and j
 * of [from, columnsTo), j no later than i's tile, at target + places[i] * targetWidth + places[j].
 */
export function subtractProducts(
  values: Float64Array,
  source: number,
  depth: number,
  from: number,
  columnsTo: number,
  to: number,
  target: number,
  targetWidth: number,
  places: Int32Array,
): void {
  let i = from
  for (; i + 2 < to; i += 3) {
    const jEnd = Math.min(i + 3, columnsTo)
    const i0 = source + i * depth
    const i1 = i0 + depth
    const i2 = i1 + depth
    const t0 = target + places[i] * targetWidth
    const t1 = target + places[i + 1] * targetWidth
    const t2 = target + places[i + 2] * targetWidth
    let j = from
    for (; j + 2 < jEnd; j += 3) {
      const j0 = source + j * depth
      const j1 = j0 + depth
      const j2 = j1 + depth
      let s00 = 0
      let s01 = 0
      let s02 = 0
      let s10 = 0
      let s11 = 0
      let s12 = 0
      let s20 = 0
      let s21 = 0
      let s22 = 0
      for (let k = 0; k < depth; k++) {
        const a0 = values[i0 + k]
        const a1 = values[i1 + k]
        const a2 = values[i2 + k]
        const b0 = values[j0 + k]
        const b1 = values[j1 + k]
        const b2 = values[j2 + k]
        s00 += a0 * b0
        s01 += a0 * b1
        s02 += a0 * b2
        s10 += a1 * b0
        s11 += a1 * b1
        s12 += a1 * b2
        s20 += a2 * b0
        s21 += a2 * b1
        s22 += a2 * b2
      }
      const p0 = places[j]
      const p1 = places[j + 1]
      const p2 = places[j + 2]
      values[t0 + p0] -= s00
      values[t0 + p1] -= s01
      values[t0 + p2] -= s02
      values[t1 + p0] -= s10
      values[t1 + p1] -= s11
      values[t1 + p2] -= s12
      values[t2 + p0] -= s20
      values[t2 + p1] -= s21
      values[t2 + p2] -= s22
    }
    for (; j < jEnd; j++) {
      values[t0 + places[j]] -= dot(values, i0, source + j * depth, depth)
      values[t1 + places[j]] -= dot(values, i1, source + j * depth, depth)
      values[t2 + places[j]] -= dot(values, i2, source + j * depth, depth)
    }
  }
  for (; i < to; i++) {
    const row = target + places[i] * targetWidth
    for (let j = from; j < Math.min(i + 1, columnsTo); j++) {
      values[row + places[j]] -= dot(values, source + i * depth, source + j * depth, depth)
    }
  }
}

/**
 * Factorises a panel in place: A = L L^T for the diagonal block, and L_below = A_below L^-T.
 * @param diagonal  of the matrix itself, for the panel's columns from `diagonalAt` on; what a pivot is measured by
 * @returns the first column without a positive pivot, or -1
 */
export function factorPanel(
  values: Float64Array,
  panel: number,
  width: number,
  rows: number,
  diagonal: Float64Array,
  diagonalAt: number,
): number {
  const tiled = width - (width % 3)
  for (let i = 0; i < rows; i += 3) {
    const height = Math.min(3, rows - i)
    if (height === 3) {
      for (let j = 0; j < Math.min(i, tiled); j += 3) {
        subtractTile(values, panel + i * width, panel + j * width, width, j)
        for (let row = i; row < i + 3; row++) solveTile(values, panel + row * width + j, panel + j * width + j, width)
      }
    }
    // The diagonal tile, and what tiles leave over.
    const begin = height === 3 ? Math.min(i, tiled) : 0
    for (let row = i; row < i + height; row++) {
      const rowAt = panel + row * width
      for (let j = begin; j < Math.min(row, width); j++) {
        const columnAt = panel + j * width
        values[rowAt + j] = (values[rowAt + j] - dot(values, rowAt, columnAt, j)) / values[columnAt + j]
      }
      if (row >= width) continue
      const pivot = values[rowAt + row] - dot(values, rowAt, rowAt, row)
      if (!(pivot > SMALLEST_PIVOT * diagonal[diagonalAt + row])) return row
      values[rowAt + row] = Math.sqrt(pivot)
    }
  }
  return -1
}

/** A tile of 3 x 3 at column `depth` of three rows, less the products of what is to its left with three other rows. */
function subtractTile(values: Float64Array, rowsAt: number, othersAt: number, width: number, depth: number): void {
  const i1 = rowsAt + width
  const i2 = i1 + width
  const j1 = othersAt + width
  const j2 = j1 + width
  let s00 = 0
  let s01 = 0
  let s02 = 0
  let s10 = 0
  let s11 = 0
  let s12 = 0
  let s20 = 0
  let s21 = 0
  let s22 = 0
  for (let k = 0; k < depth; k++) {
    const a0 = values[rowsAt + k]
    const a1 = values[i1 + k]
    const a2 = values[i2 + k]
    const b0 = values[othersAt + k]
    const b1 = values[j1 + k]
    const b2 = values[j2 + k]
    s00 += a0 * b0
    s01 += a0 * b1
    s02 += a0 * b2
    s10 += a1 * b0
    s11 += a1 * b1
    s12 += a1 * b2
    s20 += a2 * b0
    s21 += a2 * b1
    s22 += a2 * b2
  }
  values[rowsAt + depth] -= s00
  values[rowsAt + depth + 1] -= s01
  values[rowsAt + depth + 2] -= s02
  values[i1 + depth] -= s10
  values[i1 + depth + 1] -= s11
  values[i1 + depth + 2] -= s12
  values[i2 + depth] -= s20
  values[i2 + depth + 1] -= s21
  values[i2 + depth + 2] -= s22
}

/** Three numbers of a row divided by a factorised tile of the diagonal block. */
function solveTile(values: Float64Array, at: number, tile: number, width: number): void {
  const x = values[at] / values[tile]
  const y = (values[at + 1] - values[tile + width] * x) / values[tile + width + 1]
  const below = tile + 2 * width
  values[at] = x
  values[at + 1] = y
  values[at + 2] = (values[at + 2] - values[below] * x - values[below + 1] * y) / values[below + 2]
}

function dot(values: Float64Array, a: number, b: number, count: number): number {
  let sum = 0
  for (let k = 0; k < count; k++) sum += values[a + k] * values[b + k]
  return sum
}
