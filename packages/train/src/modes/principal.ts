/**
 * The directions in which rows of numbers differ most, about zero: principal components by the method of snapshots
 * (Sirovich 1987), which is cheap where rows are long and few.
 */
import { symmetricEigen } from './symmetric-eigen.js'

/** Orthonormal directions, most first. */
export interface Directions {
  count: number
  /** Numbers in a row. */
  length: number
  /** One direction after the other. */
  rows: Float32Array
  /** Root mean square of the rows along each. */
  spreads: Float64Array
}

/** Rows that directions are made of, spread evenly over all. */
const SNAPSHOTS = 400
/** Directions whose share of the squares of the first is less are noise. */
const LEAST_SHARE = 1e-7

/** @param most  fewer come if the rows do not differ in as many; one of no spread if they do not differ at all */
export function principalDirections(rows: readonly Float32Array[], most: number): Directions {
  const size = Math.min(SNAPSHOTS, rows.length)
  const snapshots = Array.from({ length: size }, (_, s) => rows[Math.floor((s * rows.length) / size)])
  const length = rows[0].length
  const { values, vectors } = symmetricEigen(products(snapshots), size)
  const largest = values[size - 1]
  if (!(largest > 0))
    return { count: 1, length, rows: new Float32Array(length).fill(1, 0, 1), spreads: Float64Array.of(0) }
  const count = Math.min(most, values.filter((value) => value > LEAST_SHARE * largest).length)
  const out = new Float32Array(count * length)
  const sum = new Float64Array(length)
  for (let k = 0; k < count; k++) {
    const at = size - 1 - k
    const unit = 1 / Math.sqrt(values[at])
    sum.fill(0)
    snapshots.forEach((row, s) => {
      const weight = unit * vectors[at * size + s]
      for (let i = 0; i < length; i++) sum[i] += weight * row[i]
    })
    out.set(sum, k * length)
  }
  const spreads = Float64Array.from({ length: count }, (_, k) => Math.sqrt(values[size - 1 - k] / size))
  return { count, length, rows: out, spreads }
}

/** @returns how far a row goes along each direction */
export function along({ count, length, rows }: Directions, row: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => {
    let sum = 0
    for (let i = 0, at = k * length; i < length; i++, at++) sum += rows[at] * row[i]
    return sum
  })
}

/** @returns the row that goes so far along each direction */
export function together({ length, rows }: Directions, amounts: ArrayLike<number>): Float64Array {
  const out = new Float64Array(length)
  for (let k = 0; k < amounts.length; k++) {
    for (let i = 0, at = k * length; i < length; i++, at++) out[i] += amounts[k] * rows[at]
  }
  return out
}

function products(rows: readonly Float32Array[]): Float64Array {
  const size = rows.length
  const matrix = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const [a, b] = [rows[i], rows[j]]
      let sum = 0
      for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
      matrix[i * size + j] = matrix[j * size + i] = sum
    }
  }
  return matrix
}
