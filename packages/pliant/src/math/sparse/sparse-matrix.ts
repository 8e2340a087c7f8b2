/** Square sparse matrices in compressed rows: made from triplets as assembly gives them, and their product with vectors. */

export interface SparseMatrix {
  /** Number of rows and of columns. */
  size: number
  /** Where each row begins in `columns` and `values`; length size + 1. */
  starts: Int32Array
  /** Column of each entry, ascending within a row. Symmetric matrices hold both halves. */
  columns: Int32Array
  values: Float64Array
}

/**
 * The matrix whose entry (rows[k], columns[k]) is values[k]; what falls on the same place is added. Places that are
 * named stay in the pattern even where they sum to zero, so that a pattern does not depend on the values.
 * @throws RangeError if lengths disagree or an entry lies outside
 */
export function sparseFromTriplets(
  size: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number>,
  values: ArrayLike<number>,
): SparseMatrix {
  const count = rows.length
  if (columns.length !== count || values.length !== count) {
    throw new RangeError(
      `sparse matrix: ${count} rows, ${columns.length} columns and ${values.length} values; give one each per entry.`,
    )
  }
  const outside = firstOutside(size, rows, columns)
  if (outside >= 0) {
    throw new RangeError(
      `sparse matrix: entry ${outside} is at (${rows[outside]}, ${columns[outside]}); the matrix has ${size} rows and columns.`,
    )
  }
  // Sorted by column, then, keeping that order, by row: two counting sorts.
  const byColumn = countingSort(size, count, (k) => columns[k]).order
  const byRow = countingSort(size, count, (k) => rows[byColumn[k]])
  const starts = new Int32Array(size + 1)
  const packedColumns = new Int32Array(count)
  const packedValues = new Float64Array(count)
  let end = 0
  for (let row = 0; row < size; row++) {
    starts[row] = end
    for (let at = byRow.starts[row]; at < byRow.starts[row + 1]; at++) {
      const entry = byColumn[byRow.order[at]]
      if (end === starts[row] || packedColumns[end - 1] !== columns[entry]) packedColumns[end++] = columns[entry]
      packedValues[end - 1] += values[entry]
    }
  }
  starts[size] = end
  return { size, starts, columns: packedColumns.slice(0, end), values: packedValues.slice(0, end) }
}

/** out = matrix * vector; `out` is another array than `vector`. */
export function multiplySparse(matrix: SparseMatrix, vector: Float64Array, out: Float64Array): void {
  const { size, starts, columns, values } = matrix
  for (let row = 0; row < size; row++) {
    let sum = 0
    const end = starts[row + 1]
    for (let at = starts[row]; at < end; at++) sum += values[at] * vector[columns[at]]
    out[row] = sum
  }
}

/** Where entry (row, column) is in `values`, or -1 where the pattern has none. */
export function sparseIndex(matrix: SparseMatrix, row: number, column: number): number {
  const { starts, columns } = matrix
  let low = starts[row]
  let high = starts[row + 1] - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (columns[middle] === column) return middle
    if (columns[middle] < column) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function firstOutside(size: number, rows: ArrayLike<number>, columns: ArrayLike<number>): number {
  const inside = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < size
  for (let k = 0; k < rows.length; k++) if (!inside(rows[k]) || !inside(columns[k])) return k
  return -1
}

/** Items 0 ... count - 1 by ascending key, equal keys in their order. */
function countingSort(
  keys: number,
  count: number,
  keyOf: (item: number) => number,
): { order: Int32Array; starts: Int32Array } {
  const starts = new Int32Array(keys + 1)
  for (let k = 0; k < count; k++) starts[keyOf(k) + 1]++
  for (let key = 0; key < keys; key++) starts[key + 1] += starts[key]
  const next = starts.slice()
  const order = new Int32Array(count)
  for (let k = 0; k < count; k++) order[next[keyOf(k)]++] = k
  return { order, starts }
}
