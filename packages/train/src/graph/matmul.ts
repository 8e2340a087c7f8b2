/**
 * Matrix products. A product of two matrices is one Gemm whose transposes are flags, so that neither the forward nor
 * the backward pass ever moves a matrix just to turn it round.
 */
import { expand, sumTo } from './broadcast.js'
import { formatShape, shapesEqual } from './dimension.js'
import { reshape, transpose } from './layout.js'
import { makeNode, type Tensor } from './tensor.js'

/**
 * Matrix product. (n, k) x (k, m); (..., k) x (k, m), rows of any rank; or (g, n, k) x (g, k, m).
 * @throws RangeError if the inner dimensions differ
 */
export function matmul(a: Tensor, b: Tensor): Tensor {
  if (b.shape.length === 3) return batchMatmul(a, b)
  if (b.shape.length !== 2 || a.shape.length < 1) throw mismatch('matmul', a, b)
  if (a.shape.length === 2) return gemm(a, b, false, false)
  const inner = a.shape[a.shape.length - 1]
  const rows = gemm(reshape(a, [-1, inner]), b, false, false)
  return reshape(rows, [...a.shape.slice(0, -1), b.shape[1]])
}

/**
 * op(a) op(b) + bias, where op transposes if its flag is set.
 * @param bias  optional, broadcast to the product
 */
export function gemm(a: Tensor, b: Tensor, transA: boolean, transB: boolean, bias?: Tensor): Tensor {
  if (a.shape.length !== 2 || b.shape.length !== 2) throw mismatch('matmul', a, b)
  const [rows, inner] = transA ? [a.shape[1], a.shape[0]] : a.shape
  const [other, columns] = transB ? [b.shape[1], b.shape[0]] : b.shape
  if (inner !== other) throw mismatch('matmul', a, b)
  return makeNode('Gemm', {
    operands: bias ? [a, b, bias] : [a, b],
    shape: [rows, columns],
    attributes: { transA: { int: transA ? 1 : 0 }, transB: { int: transB ? 1 : 0 } },
    gradients: [
      (g) => (transA ? gemm(b, g, transB, true) : gemm(g, b, false, !transB)),
      // Transposing the left factor in memory first is 25% faster by itself at 1,024 rows, but -2 to 4% in whole steps.
      (g) => (transB ? gemm(g, a, true, transA) : gemm(a, g, !transA, false)),
      (g) => sumTo(g, bias!.shape),
    ],
  })
}

/** The product with a bias taken into the Gemm, or undefined if `product` is not a bare Gemm or `bias` no row. */
export function gemmWithBias(product: Tensor, bias: Tensor): Tensor | undefined {
  if (product.operator !== 'Gemm' || product.operands.length !== 2) return undefined
  const columns = product.shape[1]
  if (!shapesEqual(bias.shape, [columns]) && !shapesEqual(bias.shape, [1, columns])) return undefined
  const { transA, transB } = product.attributes as { transA: { int: number }; transB: { int: number } }
  return gemm(product.operands[0], product.operands[1], transA.int === 1, transB.int === 1, bias)
}

/** One product per group: (g, n, k) x (g, k, m) -> (g, n, m). A group of size 1 is shared by all. */
export function batchMatmul(a: Tensor, b: Tensor): Tensor {
  if (a.shape.length !== 3 || b.shape.length !== 3) throw mismatch('batchMatmul', a, b)
  const groups = a.shape[0] === 1 ? b.shape[0] : a.shape[0]
  if (a.shape[2] !== b.shape[1]) throw mismatch('batchMatmul', a, b)
  if (b.shape[0] !== groups && b.shape[0] !== 1) throw mismatch('batchMatmul', a, b)
  const left = expand(a, [groups, a.shape[1], a.shape[2]])
  const right = expand(b, [groups, b.shape[1], b.shape[2]])
  return makeNode('MatMul', {
    operands: [left, right],
    shape: [groups, a.shape[1], b.shape[2]],
    gradients: [(g) => batchMatmul(g, transpose(right, [0, 2, 1])), (g) => batchMatmul(transpose(left, [0, 2, 1]), g)],
  })
}

/** The name that networks with weights per pose or per part use for `batchMatmul`. */
export const groupedMatmul = batchMatmul

function mismatch(what: string, a: Tensor, b: Tensor): RangeError {
  const shapes = `${formatShape(a.shape)} and ${formatShape(b.shape)}`
  return new RangeError(`${what}: shapes ${shapes}; the inner dimensions must agree.`)
}
