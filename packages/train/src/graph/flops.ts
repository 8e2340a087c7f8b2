/** Arithmetic of a graph: what its matrix products cost, from their shapes. */
import { formatShape, isStatic, shapeSize } from './dimension.js'
import type { Tensor } from './tensor.js'

/**
 * Floating-point operations of all matrix products that the tensors need, a multiplication and an addition counting as
 * two; elementwise work counts as none. Each product counts once however often it is used.
 * @throws RangeError if a product's shape is open
 */
export function matrixProductFlops(tensors: readonly Tensor[]): number {
  const seen = new Set(tensors)
  let flops = 0
  for (const tensor of seen) {
    for (const operand of tensor.operands) seen.add(operand)
    if (tensor.operator !== 'Gemm' && tensor.operator !== 'MatMul') continue
    const left = tensor.operands[0].shape
    const { transA } = tensor.attributes as { transA?: { int: number } }
    const inner = left[transA?.int === 1 ? left.length - 2 : left.length - 1]
    const sizes = [...tensor.shape, inner]
    if (!isStatic(sizes)) throw new RangeError(`flops: product of shape ${formatShape(sizes)}; use fixed sizes.`)
    flops += 2 * (shapeSize(sizes) as number)
  }
  return flops
}
