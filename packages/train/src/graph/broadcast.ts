/**
 * Broadcasting as in numpy, and the sum that undoes it: `expand` repeats values along axes of size 1, `sum` adds them
 * up again, and each is the gradient of the other. Open dimensions broadcast by name: 'n' fits 'n' and 1.
 */
import { formatShape, type Shape, shapesEqual } from './dimension.js'
import { reshape } from './layout.js'
import { makeNode, operandInts, operandShape, resolveAxis, type Tensor } from './tensor.js'

/** @throws RangeError if the shapes do not fit */
export function broadcastShapes(what: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length)
  return Array.from({ length: rank }, (_, i) => {
    const p = a[i - rank + a.length] ?? 1
    const q = b[i - rank + b.length] ?? 1
    if (p !== q && p !== 1 && q !== 1) {
      throw new RangeError(`${what}: shapes ${formatShape(a)} and ${formatShape(b)}; sizes must be equal or 1.`)
    }
    return p === 1 ? q : p
  })
}

/** Repeats values along axes of size 1 and along new leading axes. @throws RangeError if the shapes do not fit */
export function expand(tensor: Tensor, shape: Shape): Tensor {
  if (shapesEqual(tensor.shape, shape)) return tensor
  if (!shapesEqual(broadcastShapes('expand', tensor.shape, shape), shape)) {
    throw new RangeError(`expand: ${formatShape(tensor.shape)} to ${formatShape(shape)}; sizes must be equal or 1.`)
  }
  // ONNX keeps a dimension whose target is 1, so an open dimension that is there already need not be known.
  const lead = shape.length - tensor.shape.length
  const target = shape.map((d, i) => (i >= lead && tensor.shape[i - lead] === d ? 1 : d))
  return makeNode('Expand', {
    operands: [tensor, operandShape(target)],
    shape,
    type: tensor.type,
    gradients: [(gradient) => sumTo(gradient, tensor.shape)],
  })
}

/** Sum over axes (by default all); `keep` leaves them with size 1. */
export function sum(tensor: Tensor, axes?: number | readonly number[], keep = false): Tensor {
  const over = resolveAxes('sum', tensor.shape, axes)
  if (over.length === 0) return tensor
  const kept = keptShape(tensor.shape, over)
  return makeNode('ReduceSum', {
    operands: [tensor, operandInts(over)],
    shape: keep ? kept : tensor.shape.filter((_, i) => !over.includes(i)),
    attributes: { keepdims: { int: keep ? 1 : 0 } },
    gradients: [(gradient) => expand(reshape(gradient, kept), tensor.shape)],
  })
}

/** Sums away what broadcasting from `shape` repeated. */
export function sumTo(tensor: Tensor, shape: Shape): Tensor {
  const lead = tensor.shape.length - shape.length
  const over = tensor.shape.flatMap((d, i) => (i < lead || (shape[i - lead] === 1 && d !== 1) ? [i] : []))
  return reshape(sum(tensor, over, true), shape)
}

/**
 * The operand as it can enter an elementwise operation: an explicit repetition is dropped where broadcasting against
 * the other operand repeats anyway. Gradients of sums are full of them.
 */
export function withoutExpand(tensor: Tensor, other: Shape): Tensor {
  if (tensor.operator !== 'Expand') return tensor
  const source = tensor.operands[0]
  const needed = broadcastShapes('broadcast', tensor.shape, other)
  return shapesEqual(broadcastShapes('broadcast', source.shape, other), needed) ? source : tensor
}

/** Axes counted from the front, in order; all if not given. */
export function resolveAxes(what: string, shape: Shape, axes?: number | readonly number[]): number[] {
  if (axes === undefined) return shape.map((_, i) => i)
  const list = typeof axes === 'number' ? [axes] : axes
  const over = [...new Set(list.map((axis) => resolveAxis(what, shape, axis)))]
  return over.sort((a, b) => a - b)
}

/** The shape with the reduced axes left at size 1. */
export function keptShape(shape: Shape, over: readonly number[]): Shape {
  return shape.map((d, i) => (over.includes(i) ? 1 : d))
}
