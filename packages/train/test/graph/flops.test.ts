/** Counted operations: if they are wrong, so is every GFLOP/s that the bench prints. */
import { describe, expect, it } from 'vitest'
import {
  add,
  batchMatmul,
  grad,
  input,
  matmul,
  matrixProductFlops,
  mean,
  parameter,
  relu,
} from '../../src/graph/index.js'

describe('matrixProductFlops', () => {
  it('counts a two-layer step by hand: forward 2, backward 4, less the gradient of the input', () => {
    const [n, k, m] = [50, 7, 11]
    const x = input('x', [n, k])
    const first = parameter('first', [k, m], new Float32Array(k * m))
    const bias = parameter('bias', [m], new Float32Array(m))
    const last = parameter('last', [m, 1], new Float32Array(m))
    const loss = mean(matmul(relu(add(matmul(x, first), bias)), last))
    expect(matrixProductFlops([loss])).toBe(2 * n * (k * m + m))
    const gradients = grad(loss, [first, bias, last])
    expect(matrixProductFlops([loss, ...gradients])).toBe(2 * n * (k * m + m) + 4 * n * m + 2 * n * k * m)
  })

  it('counts groups, each product once, and refuses open shapes', () => {
    const product = batchMatmul(input('a', [3, 4, 5]), input('b', [3, 5, 6]))
    expect(matrixProductFlops([product, relu(product), add(product, product)])).toBe(2 * 3 * 4 * 5 * 6)
    expect(() => matrixProductFlops([matmul(input('a', ['n', 2]), input('b', [2, 2]))])).toThrow(/\[n, 2, 2\]/)
  })
})
