import { expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { multiplySparse, sparseFromTriplets, sparseIndex } from '../../../src/math/sparse/sparse-matrix.js'

it('adds triplets that fall on the same place, columns ascending, and multiplies as the dense matrix (seed 1)', () => {
  const random = randomStream(1)
  const size = 17
  const dense = new Float64Array(size * size)
  const rows: number[] = []
  const columns: number[] = []
  const values: number[] = []
  for (let k = 0; k < 300; k++) {
    const [row, column, value] = [random.below(size), random.below(size), random.normal()]
    rows.push(row)
    columns.push(column)
    values.push(value)
    dense[row * size + column] += value
  }
  const matrix = sparseFromTriplets(size, rows, columns, values)
  expect(matrix.columns.length).toBeLessThan(300)
  for (let row = 0; row < size; row++) {
    for (let at = matrix.starts[row] + 1; at < matrix.starts[row + 1]; at++) {
      expect(matrix.columns[at]).toBeGreaterThan(matrix.columns[at - 1])
    }
    for (let column = 0; column < size; column++) {
      const at = sparseIndex(matrix, row, column)
      expect(at < 0 ? 0 : matrix.values[at]).toBeCloseTo(dense[row * size + column], 12)
    }
  }
  const vector = Float64Array.from({ length: size }, () => random.normal())
  const product = new Float64Array(size)
  multiplySparse(matrix, vector, product)
  for (let row = 0; row < size; row++) {
    let sum = 0
    for (let column = 0; column < size; column++) sum += dense[row * size + column] * vector[column]
    expect(product[row]).toBeCloseTo(sum, 12)
  }
})

it('keeps places that sum to zero, and rows without entries', () => {
  const matrix = sparseFromTriplets(3, [0, 0, 2], [1, 1, 0], [1, -1, 5])
  expect([...matrix.starts]).toEqual([0, 1, 1, 2])
  expect([...matrix.columns]).toEqual([1, 0])
  expect([...matrix.values]).toEqual([0, 5])
  expect(sparseIndex(matrix, 1, 1)).toBe(-1)
})

it('refuses entries outside the matrix and lists of different lengths', () => {
  expect(() => sparseFromTriplets(2, [0], [2], [1])).toThrow('(0, 2)')
  expect(() => sparseFromTriplets(2, [0], [0], [])).toThrow('0 values')
})
