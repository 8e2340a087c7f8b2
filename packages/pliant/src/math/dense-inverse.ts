/** Small dense systems: the inverse of a symmetric positive matrix by Cholesky, any other by elimination. */

/**
 * @param matrix  size x size, of which the lower triangle is read; holds the factor's inverse afterwards
 * @param out     receives the inverse, size x size; may not be the matrix
 * @returns whether the matrix is positive; `out` is untouched if not
 */
export function invertPositive(matrix: Float64Array, size: number, out: Float64Array): boolean {
  const f = matrix
  for (let column = 0; column < size; column++) {
    let sum = f[column * size + column]
    const before = sum
    for (let k = 0; k < column; k++) sum -= f[column * size + k] ** 2
    if (!(sum > 1e-14 * before)) return false
    const pivot = Math.sqrt(sum)
    f[column * size + column] = pivot
    for (let row = column + 1; row < size; row++) {
      let entry = f[row * size + column]
      for (let k = 0; k < column; k++) entry -= f[row * size + k] * f[column * size + k]
      f[row * size + column] = entry / pivot
    }
  }
  for (let column = 0; column < size; column++) {
    f[column * size + column] = 1 / f[column * size + column]
    for (let row = column + 1; row < size; row++) {
      let sum = 0
      for (let k = column; k < row; k++) sum -= f[row * size + k] * f[k * size + column]
      f[row * size + column] = sum / f[row * size + row]
    }
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let k = i; k < size; k++) sum += f[k * size + i] * f[k * size + j]
      out[i * size + j] = sum
      out[j * size + i] = sum
    }
  }
  return true
}

/**
 * Elimination with pivots in columns.
 * @param matrix  size x size; destroyed
 * @param x       the right side, which becomes the solution
 * @returns whether the matrix has an inverse
 */
export function solveDense(matrix: Float64Array, size: number, x: Float64Array): boolean {
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(matrix[row * size + column]) > Math.abs(matrix[pivot * size + column])) pivot = row
    }
    const largest = matrix[pivot * size + column]
    if (!(Math.abs(largest) > 0)) return false
    if (pivot !== column) swapRows(matrix, size, x, pivot, column)
    for (let row = column + 1; row < size; row++) {
      const factor = matrix[row * size + column] / largest
      if (factor === 0) continue
      for (let k = column; k < size; k++) matrix[row * size + k] -= factor * matrix[column * size + k]
      x[row] -= factor * x[column]
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) x[row] -= matrix[row * size + k] * x[k]
    x[row] /= matrix[row * size + row]
  }
  return true
}

function swapRows(matrix: Float64Array, size: number, x: Float64Array, a: number, b: number): void {
  for (let k = 0; k < size; k++) {
    const held = matrix[a * size + k]
    matrix[a * size + k] = matrix[b * size + k]
    matrix[b * size + k] = held
  }
  const held = x[a]
  x[a] = x[b]
  x[b] = held
}
