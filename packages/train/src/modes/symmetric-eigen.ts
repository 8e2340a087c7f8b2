/**
 * All eigenpairs of a small dense symmetric matrix: Householder reflections to tridiagonal form, then implicit QL
 * (Bowdler, Martin, Reinsch and Wilkinson 1968). Rows are worked on, so that the inner loops run along memory.
 */

export interface SymmetricEigen {
  /** Ascending. */
  values: Float64Array
  /** Unit eigenvectors, one after the other. */
  vectors: Float64Array
}

/** QL finds a value in two or three steps; many more mean that the matrix holds no numbers. */
const MOST_STEPS = 60

/**
 * @param matrix  size x size numbers, symmetric; left as it is
 * @throws Error if it does not converge, as with entries that are not finite
 */
export function symmetricEigen(matrix: Float64Array, size: number): SymmetricEigen {
  const { diagonal, beside, reflections, scales } = tridiagonalise(matrix, size)
  const rows = new Float64Array(size * size)
  for (let i = 0; i < size; i++) rows[i * size + i] = 1
  diagonalise(diagonal, beside, rows)
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[a] - diagonal[b])
  const vectors = new Float64Array(size * size)
  order.forEach((from, to) => {
    const vector = vectors.subarray(to * size, (to + 1) * size)
    vector.set(rows.subarray(from * size, (from + 1) * size))
    // The tridiagonal matrix's eigenvector, carried back through the reflections from last to first.
    for (let k = size - 3; k >= 0; k--) {
      let product = 0
      for (let i = k + 1; i < size; i++) product += reflections[k * size + i] * vector[i]
      product *= scales[k]
      for (let i = k + 1; i < size; i++) vector[i] -= product * reflections[k * size + i]
    }
  })
  return { values: Float64Array.from(order, (k) => diagonal[k]), vectors }
}

/** Row k of `reflections` from k + 1 on is the vector v of the k-th reflection I - scale v v^T. */
function tridiagonalise(matrix: Float64Array, size: number) {
  const a = matrix.slice()
  const diagonal = new Float64Array(size)
  const beside = new Float64Array(size)
  const scales = new Float64Array(size)
  const product = new Float64Array(size)
  for (let k = 0; k < size - 2; k++) {
    const v = a.subarray(k * size, (k + 1) * size)
    let squares = 0
    for (let i = k + 1; i < size; i++) squares += v[i] * v[i]
    const length = v[k + 1] > 0 ? -Math.sqrt(squares) : Math.sqrt(squares)
    beside[k] = length
    if (squares === 0) continue
    scales[k] = 1 / (squares - length * v[k + 1])
    v[k + 1] -= length
    let share = 0
    for (let i = k + 1; i < size; i++) {
      let sum = 0
      for (let j = k + 1; j < size; j++) sum += a[i * size + j] * v[j]
      product[i] = scales[k] * sum
      share += product[i] * v[i]
    }
    share *= scales[k] / 2
    for (let i = k + 1; i < size; i++) product[i] -= share * v[i]
    for (let i = k + 1; i < size; i++) {
      const [vi, wi] = [v[i], product[i]]
      for (let j = k + 1; j < size; j++) a[i * size + j] -= vi * product[j] + wi * v[j]
    }
  }
  for (let k = 0; k < size; k++) diagonal[k] = a[k * size + k]
  if (size > 1) beside[size - 2] = a[(size - 2) * size + size - 1]
  return { diagonal, beside, reflections: a, scales }
}

/** Turns the tridiagonal matrix into its eigenvalues in place, applying each rotation to two of `rows`. */
function diagonalise(d: Float64Array, e: Float64Array, rows: Float64Array): void {
  const size = d.length
  let norm = 0
  for (let k = 0; k < size; k++) norm = Math.max(norm, Math.abs(d[k]) + Math.abs(e[k]))
  const isNegligible = (k: number): boolean =>
    Math.abs(e[k]) <= Number.EPSILON * (Math.abs(d[k]) + Math.abs(d[k + 1]) + Number.EPSILON * norm)
  for (let low = 0; low < size; low++) {
    for (let step = 0; ; step++) {
      let high = low
      while (high < size - 1 && !isNegligible(high)) high++
      if (high === low) break
      if (step === MOST_STEPS) throw new Error('symmetric eigenvalues: no convergence; the matrix must be finite.')
      stepQl(d, e, rows, low, high)
    }
  }
}

function stepQl(d: Float64Array, e: Float64Array, rows: Float64Array, low: number, high: number): void {
  const size = d.length
  const half = (d[low + 1] - d[low]) / (2 * e[low])
  const shift = half + (half < 0 ? -1 : 1) * Math.hypot(half, 1)
  let g = d[high] - d[low] + e[low] / shift
  let [sine, cosine, p] = [1, 1, 0]
  for (let i = high - 1; i >= low; i--) {
    const f = sine * e[i]
    const b = cosine * e[i]
    const length = Math.hypot(f, g)
    e[i + 1] = length
    if (length === 0) {
      d[i + 1] -= p
      e[high] = 0
      return
    }
    sine = f / length
    cosine = g / length
    g = d[i + 1] - p
    const r = (d[i] - g) * sine + 2 * cosine * b
    p = sine * r
    d[i + 1] = g + p
    g = cosine * r - b
    const [a, c] = [i * size, (i + 1) * size]
    for (let k = 0; k < size; k++) {
      const value = rows[c + k]
      rows[c + k] = sine * rows[a + k] + cosine * value
      rows[a + k] = cosine * rows[a + k] - sine * value
    }
  }
  d[low] -= p
  e[low] = g
  e[high] = 0
}
