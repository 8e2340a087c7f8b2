import { randomStream } from 'pliant'
import { expect, it } from 'vitest'
import { symmetricEigen } from '../../src/modes/symmetric-eigen.js'

function symmetric(size: number, entry: (i: number, j: number) => number): Float64Array {
  const matrix = new Float64Array(size * size)
  for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[j * size + i] = entry(i, j)
  return matrix
}

function expectPairs(matrix: Float64Array, size: number): Float64Array {
  const { values, vectors } = symmetricEigen(matrix, size)
  const scale = Math.max(1e-300, ...matrix.map(Math.abs))
  for (let k = 0; k < size; k++) {
    if (k > 0) expect(values[k]).toBeGreaterThanOrEqual(values[k - 1])
    const vector = vectors.subarray(k * size, (k + 1) * size)
    for (let i = 0; i < size; i++) {
      let product = 0
      for (let j = 0; j < size; j++) product += matrix[i * size + j] * vector[j]
      expect(Math.abs(product - values[k] * vector[i])).toBeLessThan(1e-13 * size * scale)
    }
    for (let other = 0; other <= k; other++) {
      let product = 0
      for (let i = 0; i < size; i++) product += vector[i] * vectors[other * size + i]
      expect(Math.abs(product - (other === k ? 1 : 0))).toBeLessThan(1e-12)
    }
  }
  return values
}

it.each([1, 2, 3, 4, 17, 40])('finds orthonormal pairs of a random matrix (size and seed %i)', (size) => {
  const random = randomStream(size)
  expectPairs(
    symmetric(size, () => random.normal()),
    size,
  )
})

it('knows the eigenvalues of a chain of springs', () => {
  const size = 30
  const values = expectPairs(
    symmetric(size, (i, j) => (i === j ? 2 : i - j === 1 ? -1 : 0)),
    size,
  )
  for (let k = 0; k < size; k++) {
    expect(values[k]).toBeCloseTo(2 - 2 * Math.cos(((k + 1) * Math.PI) / (size + 1)), 12)
  }
})

it('takes equal eigenvalues, none at all, and magnitudes far apart (seed 5)', () => {
  expectPairs(
    symmetric(8, (i, j) => (i === j ? 3 : 0)),
    8,
  )
  expectPairs(new Float64Array(25), 5)
  expectPairs(
    symmetric(9, () => 1),
    9,
  )
  const random = randomStream(5)
  const values = expectPairs(
    symmetric(12, (i, j) => (i === j ? 10 ** (6 - i) : 1e-9 * random.normal())),
    12,
  )
  expect(values[11] / 1e6).toBeCloseTo(1, 12)
})

it('says so when entries are no numbers', () => {
  expect(() => symmetricEigen(new Float64Array(9).fill(Number.NaN), 3)).toThrow('must be finite')
})
