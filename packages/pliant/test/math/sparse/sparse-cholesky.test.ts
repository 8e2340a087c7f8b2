import { expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { NotPositiveDefinite, SparseCholesky } from '../../../src/math/sparse/sparse-cholesky.js'
import { multiplySparse, type SparseMatrix, sparseFromTriplets } from '../../../src/math/sparse/sparse-matrix.js'

/** Symmetric, random pattern of `block` x `block` blocks, diagonally dominant and so positive definite. */
function randomMatrix(seed: number, nodes: number, block: number, edges: number): SparseMatrix {
  const random = randomStream(seed)
  const size = nodes * block
  const rows: number[] = []
  const columns: number[] = []
  const values: number[] = []
  const sums = new Float64Array(size)
  const add = (i: number, j: number, value: number): void => {
    rows.push(i, j)
    columns.push(j, i)
    values.push(value, value)
    sums[i] += Math.abs(value)
    sums[j] += Math.abs(value)
  }
  for (let edge = 0; edge < edges; edge++) {
    const [a, b] = [random.below(nodes), random.below(nodes)]
    if (a === b) continue
    for (let i = 0; i < block; i++) for (let j = 0; j < block; j++) add(block * a + i, block * b + j, random.normal())
  }
  for (let i = 0; i < size; i++) {
    rows.push(i)
    columns.push(i)
    values.push(sums[i] + random.between(0.01, 1))
  }
  return sparseFromTriplets(size, rows, columns, values)
}

/** Neighbours in a grid of n^3 points push each other: the discrete Laplacian, plus `shift` on the diagonal. */
function gridLaplacian(n: number, shift: number): SparseMatrix {
  const rows: number[] = []
  const columns: number[] = []
  const values: number[] = []
  const add = (i: number, j: number, value: number): void => {
    rows.push(i)
    columns.push(j)
    values.push(value)
  }
  for (let node = 0; node < n ** 3; node++) {
    add(node, node, shift)
    const place = [node % n, Math.floor(node / n) % n, Math.floor(node / n ** 2)]
    for (let axis = 0; axis < 3; axis++) {
      if (place[axis] === n - 1) continue
      const other = node + n ** axis
      add(node, node, 1)
      add(other, other, 1)
      add(node, other, -1)
      add(other, node, -1)
    }
  }
  return sparseFromTriplets(n ** 3, rows, columns, values)
}

function largestResidual(matrix: SparseMatrix, x: Float64Array, right: Float64Array): number {
  const product = new Float64Array(matrix.size)
  multiplySparse(matrix, x, product)
  return Math.max(...product.map((value, i) => Math.abs(value - right[i])))
}

/** Gaussian elimination with pivoting, as an independent answer. */
function solveDense(matrix: SparseMatrix, right: Float64Array): Float64Array {
  const { size: n, starts, columns, values } = matrix
  const rows = Array.from({ length: n }, (_, i) => {
    const row = new Float64Array(n + 1)
    for (let at = starts[i]; at < starts[i + 1]; at++) row[columns[at]] = values[at]
    row[n] = right[i]
    return row
  })
  for (let k = 0; k < n; k++) {
    let best = k
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i
    const pivot = rows[best]
    rows[best] = rows[k]
    rows[k] = pivot
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / pivot[k]
      for (let j = k; j <= n; j++) rows[i][j] -= factor * pivot[j]
    }
  }
  const x = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i][n]
    for (let j = i + 1; j < n; j++) sum -= rows[i][j] * x[j]
    x[i] = sum / rows[i][i]
  }
  return x
}

it.each([
  { seed: 1, nodes: 40, block: 3, edges: 90 },
  { seed: 2, nodes: 30, block: 3, edges: 400 },
  { seed: 3, nodes: 90, block: 1, edges: 200 },
  { seed: 4, nodes: 80, block: 1, edges: 3000 },
  { seed: 5, nodes: 41, block: 2, edges: 150 },
  { seed: 6, nodes: 25, block: 4, edges: 20 },
  { seed: 7, nodes: 1, block: 3, edges: 0 },
])('solves random matrices as elimination does (seed $seed, $nodes nodes of $block)', (given) => {
  const matrix = randomMatrix(given.seed, given.nodes, given.block, given.edges)
  const random = randomStream(given.seed, 1)
  const right = Float64Array.from({ length: matrix.size }, () => random.normal())
  const expected = solveDense(matrix, right)
  const solver = new SparseCholesky(matrix, { block: given.block })
  solver.factorise(matrix)
  const x = new Float64Array(matrix.size)
  solver.solve(right, x)
  for (let i = 0; i < x.length; i++) expect(Math.abs(x[i] - expected[i])).toBeLessThan(1e-10)
})

it('solves as many sides at once as one by one, in place too (seed 8)', () => {
  const matrix = randomMatrix(8, 60, 3, 200)
  const random = randomStream(8, 1)
  const solver = new SparseCholesky(matrix, { block: 3 })
  solver.factorise(matrix)
  for (const count of [1, 2, 3, 4, 5, 9]) {
    const right = Float64Array.from({ length: count * matrix.size }, () => random.normal())
    const together = right.slice()
    solver.solve(together, together, count)
    for (let side = 0; side < count; side++) {
      const x = together.subarray(side * matrix.size, (side + 1) * matrix.size)
      const own = right.subarray(side * matrix.size, (side + 1) * matrix.size)
      expect(largestResidual(matrix, x, own)).toBeLessThan(1e-10)
    }
  }
})

it('keeps the fill of a grid of 3,375 points low, and cuts its wide panels without a trace in the solution', () => {
  const matrix = gridLaplacian(15, 0.01)
  const solver = new SparseCholesky(matrix)
  solver.factorise(matrix)
  // In the order as given the band of the factor would hold 3375 * 226 entries.
  expect(solver.entryCount).toBeLessThan(0.45 * 3375 * 226)
  const random = randomStream(9)
  const right = Float64Array.from({ length: matrix.size }, () => random.normal())
  const x = new Float64Array(matrix.size)
  solver.solve(right, x)
  expect(largestResidual(matrix, x, right)).toBeLessThan(1e-11)
})

it('factorises new values of the same pattern with the same analysis', () => {
  const first = gridLaplacian(6, 1)
  const second = gridLaplacian(6, 0.1)
  const solver = new SparseCholesky(first)
  const right = Float64Array.from({ length: first.size }, (_, i) => Math.sin(i))
  const x = new Float64Array(first.size)
  for (const matrix of [first, second, first]) {
    solver.factorise(matrix)
    solver.solve(right, x)
    expect(largestResidual(matrix, x, right)).toBeLessThan(1e-12)
  }
})

it('names the unknown at which a matrix is not positive definite, and recovers', () => {
  const good = gridLaplacian(5, 0.5)
  const solver = new SparseCholesky(good)
  const x = new Float64Array(good.size)
  // No shift: constants are in the null space. A negative shift: indefinite.
  for (const shift of [0, -0.5, Number.NaN]) {
    expect(() => solver.factorise(gridLaplacian(5, shift))).toThrow(NotPositiveDefinite)
    expect(() => solver.solve(x, x)).toThrow('before factorise')
  }
  const bent = { ...good, values: good.values.slice() }
  bent.values[bent.starts[77] + [...bent.columns.subarray(bent.starts[77], bent.starts[78])].indexOf(77)] = -1
  expect(() => solver.factorise(bent)).toThrow('unknown 77;')
  solver.factorise(good)
  solver.solve(new Float64Array(good.size).fill(0.5), x)
  for (const value of x) expect(value).toBeCloseTo(1, 12)
})

it('refuses patterns that it cannot analyse, and matrices of another', () => {
  expect(() => new SparseCholesky(sparseFromTriplets(2, [0, 1, 0], [0, 1, 1], [1, 1, 1]))).toThrow('both halves')
  expect(() => new SparseCholesky(sparseFromTriplets(2, [0], [0], [1]))).toThrow('row 1 has no diagonal')
  expect(() => new SparseCholesky(gridLaplacian(2, 1), { block: 3 })).toThrow('8 unknowns in blocks of 3')
  const solver = new SparseCholesky(gridLaplacian(2, 1))
  expect(() => solver.factorise(gridLaplacian(3, 1))).toThrow('new pattern')
  solver.factorise(gridLaplacian(2, 1))
  expect(() => solver.solve(new Float64Array(8), new Float64Array(8), 2)).toThrow('give 16')
})
