/** The few products of 4x4 matrices that a glTF file's transforms need. Column-major, as glTF has them. */

/** a * b: b is applied first. `product` receives it and is neither of them. */
export function multiplyMatrices(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  product: Float64Array = new Float64Array(16),
): Float64Array {
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k]
      product[4 * column + row] = sum
    }
  }
  return product
}

/** Determinant of the upper left 3x3: negative where the transform mirrors. */
export function linearDeterminant(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5])
}

/** The inverse of a transform whose last row is 0 0 0 1, or undefined if there is none. */
export function invertAffine(m: ArrayLike<number>): Float64Array | undefined {
  const determinant = linearDeterminant(m)
  const inverse = new Float64Array(16)
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      // Cofactor of the transposed entry, by cyclic indices so that signs come out by themselves.
      const [r1, r2] = [(column + 1) % 3, (column + 2) % 3]
      const [c1, c2] = [(row + 1) % 3, (row + 2) % 3]
      const cofactor = m[4 * c1 + r1] * m[4 * c2 + r2] - m[4 * c2 + r1] * m[4 * c1 + r2]
      inverse[4 * column + row] = cofactor / determinant
    }
  }
  for (let row = 0; row < 3; row++) {
    inverse[12 + row] = -(inverse[row] * m[12] + inverse[4 + row] * m[13] + inverse[8 + row] * m[14])
  }
  inverse[15] = 1
  return inverse.every(Number.isFinite) ? inverse : undefined
}

/** Applies the matrix to xyz triples in place: to points (`w` = 1) or to directions (`w` = 0). */
export function transformTriples(m: ArrayLike<number>, triples: Float64Array, w: 0 | 1): void {
  for (let i = 0; i < triples.length; i += 3) {
    const x = triples[i]
    const y = triples[i + 1]
    const z = triples[i + 2]
    for (let row = 0; row < 3; row++) triples[i + row] = m[row] * x + m[4 + row] * y + m[8 + row] * z + w * m[12 + row]
  }
}
