/** Inverse of a small symmetric positive matrix, by Cholesky. */

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
