/** Reductions along axes other than the sum: mean, largest, smallest, Euclidean length. */
import { div, mul } from './arithmetic.js'
import { expand, keptShape, resolveAxes, sum } from './broadcast.js'
import { shapeSize } from './dimension.js'
import { reshape } from './layout.js'
import { equal, maximum, where } from './select.js'
import { makeNode, operandInts, sizeOf, type Tensor } from './tensor.js'

/** Lengths below this have gradient 0 instead of 0/0. */
const SMALLEST_LENGTH = 1e-12

/** Mean over axes (by default all); `keep` leaves them with size 1. */
export function mean(tensor: Tensor, axes?: number | readonly number[], keep = false): Tensor {
  const over = resolveAxes('mean', tensor.shape, axes)
  const count = sizeOf(shapeSize(over.map((axis) => tensor.shape[axis])))
  return div(sum(tensor, over, keep), count)
}

/** Largest value along axes; equal ones share the gradient. */
export function max(tensor: Tensor, axes?: number | readonly number[], keep = false): Tensor {
  return extremum('ReduceMax', tensor, axes, keep)
}

/** Smallest value along axes; equal ones share the gradient. */
export function min(tensor: Tensor, axes?: number | readonly number[], keep = false): Tensor {
  return extremum('ReduceMin', tensor, axes, keep)
}

/** Euclidean length along axes; its gradient is 0 where the length is 0. */
export function norm(tensor: Tensor, axes?: number | readonly number[], keep = false): Tensor {
  return reduction('ReduceL2', tensor, axes, keep, (g, node) => div(mul(tensor, g), maximum(node, SMALLEST_LENGTH)))
}

function extremum(
  operator: string,
  tensor: Tensor,
  axes: number | readonly number[] | undefined,
  keep: boolean,
): Tensor {
  const over = resolveAxes(operator, tensor.shape, axes)
  return reduction(operator, tensor, axes, keep, (g, node) => {
    const reached = where(equal(tensor, node), 1, 0)
    return mul(reached, div(g, sum(reached, over, true)))
  })
}

/** @param gradient  gets gradient and result with the reduced axes kept at size 1 */
function reduction(
  operator: string,
  tensor: Tensor,
  axes: number | readonly number[] | undefined,
  keep: boolean,
  gradient: (g: Tensor, node: Tensor) => Tensor,
): Tensor {
  const over = resolveAxes(operator, tensor.shape, axes)
  const kept = keptShape(tensor.shape, over)
  return makeNode(operator, {
    operands: [tensor, operandInts(over)],
    shape: keep ? kept : tensor.shape.filter((_, i) => !over.includes(i)),
    attributes: { keepdims: { int: keep ? 1 : 0 } },
    gradients: [(g, node) => expand(gradient(reshape(g, kept), reshape(node, kept)), tensor.shape)],
  })
}
