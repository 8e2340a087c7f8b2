import { randomStream } from 'pliant'
import { expect, it } from 'vitest'
import { largestEigenpairs } from '../../src/modes/block-lanczos.js'

/** Scales each vector by given eigenvalues, in a basis that a reflection turns, so that no axis is special. */
function turnedDiagonal(values: Float64Array, seed: number) {
  const size = values.length
  const random = randomStream(seed)
  const normal = Float64Array.from({ length: size }, () => random.normal())
  const squares = normal.reduce((sum, value) => sum + value * value, 0)
  const reflect = (vector: Float64Array): Float64Array => {
    const share = (2 * vector.reduce((sum, value, i) => sum + value * normal[i], 0)) / squares
    return vector.map((value, i) => value - share * normal[i])
  }
  const apply = (vectors: Float64Array, count: number, out: Float64Array): void => {
    for (let k = 0; k < count; k++) {
      const inside = reflect(vectors.subarray(k * size, (k + 1) * size))
      out.set(reflect(inside.map((value, i) => value * values[i])), k * size)
    }
  }
  const eigenvector = (k: number): Float64Array => reflect(values.map((_, i) => (i === k ? 1 : 0)))
  return { apply, eigenvector }
}

it('finds eigenvalues as often as they are there, up to the block, and vectors that belong to them (seed 1)', () => {
  const size = 300
  const values = Float64Array.from({ length: size }, (_, k) => (k < 4 ? 10 : k < 6 ? 7 : 5 * 0.96 ** k))
  const { apply } = turnedDiagonal(values, 1)
  const found = largestEigenpairs(size, apply, { count: 30 })
  expect(found.basisSize).toBeLessThan(size)
  const image = new Float64Array(size)
  for (let k = 0; k < 30; k++) {
    expect(found.values[k] / values[k]).toBeCloseTo(1, 12)
    const vector = found.vectors.subarray(k * size, (k + 1) * size)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 12)
    apply(vector, 1, image)
    for (let i = 0; i < size; i++) expect(Math.abs(image[i] - values[k] * vector[i])).toBeLessThan(1e-10)
  }
})

it('takes known vectors of an eigenvalue repeated beyond the block, and goes on without them (seed 2)', () => {
  const size = 200
  const values = Float64Array.from({ length: size }, (_, k) => (k < 9 ? 1e4 : 5 * 0.95 ** k))
  const { apply, eigenvector } = turnedDiagonal(values, 2)
  const start = new Float64Array(9 * size)
  for (let k = 0; k < 9; k++) start.set(eigenvector(k), k * size)
  const widths: number[] = []
  const found = largestEigenpairs(
    size,
    (vectors, count, out) => {
      widths.push(count)
      apply(vectors, count, out)
    },
    { count: 25, start, block: 3 },
  )
  for (let k = 0; k < 25; k++) expect(found.values[k] / values[k]).toBeCloseTo(1, 9)
  expect(widths.slice(0, 3)).toEqual([12, 3, 3])
})

it.each([1, 2, 5, 11])('goes through the whole of a small space (size and seed %i)', (size) => {
  const values = Float64Array.from({ length: size }, (_, k) => size - k)
  const found = largestEigenpairs(size, turnedDiagonal(values, size).apply, { count: size })
  for (let k = 0; k < size; k++) expect(found.values[k]).toBeCloseTo(values[k], 12)
})

it('refuses to look for more pairs than there are', () => {
  expect(() => largestEigenpairs(3, () => {}, { count: 4 })).toThrow('4 of 3')
})
