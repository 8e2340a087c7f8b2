/**
 * Operations that move values without changing them: reshape, transpose, concat, slice, pad. Each is the gradient of
 * another.
 */
import { type Dimension, divideDimensions, formatShape, type Shape, shapeSize, shapesEqual } from './dimension.js'
import { makeNode, operandInts, operandShape, resolveAxis, type Tensor } from './tensor.js'

/**
 * The same values, row-major, under another shape; one dimension may be -1 and is then found from the others.
 * @throws RangeError if the number of elements differs
 */
export function reshape(tensor: Tensor, shape: Shape): Tensor {
  const target = inferShape(tensor.shape, shape)
  if (shapesEqual(tensor.shape, target)) return tensor
  // Reshapes of reshapes collapse, so gradients that go back and forth leave nothing behind.
  const source = tensor.operator === 'Reshape' ? tensor.operands[0] : tensor
  if (shapesEqual(source.shape, target)) return source
  const open = target.filter((dimension) => typeof dimension === 'string').length
  // With one open dimension, -1 is enough; no shape has to be read when the graph runs.
  const operand = open === 1 ? target.map((d) => (typeof d === 'string' ? -1 : d)) : target
  return makeNode('Reshape', {
    operands: [source, operandShapeRaw(operand)],
    shape: target,
    type: source.type,
    gradients: [(gradient) => reshape(gradient, source.shape)],
  })
}

/** Axes in another order; by default reversed. `axes[i]` is the source axis of axis i. */
export function transpose(tensor: Tensor, axes?: readonly number[]): Tensor {
  const rank = tensor.shape.length
  const order = axes ?? Array.from({ length: rank }, (_, i) => rank - 1 - i)
  if (order.length !== rank || new Set(order).size !== rank || order.some((axis) => !(axis >= 0 && axis < rank))) {
    throw new RangeError(`transpose: axes ${formatShape(order)} for rank ${rank}; name each axis once.`)
  }
  const inverse = order.map((_, i) => order.indexOf(i))
  if (order.every((axis, i) => axis === i)) return tensor
  return makeNode('Transpose', {
    operands: [tensor],
    shape: order.map((axis) => tensor.shape[axis]),
    type: tensor.type,
    attributes: { perm: { ints: order } },
    gradients: [(gradient) => transpose(gradient, inverse)],
  })
}

/** Tensors one after the other along an axis. @throws RangeError if they differ elsewhere, or the axis is open */
export function concat(tensors: readonly Tensor[], axis: number): Tensor {
  if (tensors.length === 0) throw new RangeError('concat: no tensors; pass at least one.')
  if (tensors.length === 1) return tensors[0]
  const first = tensors[0]
  const at = resolveAxis('concat', first.shape, axis)
  const starts: number[] = []
  let total = 0
  for (const tensor of tensors) {
    const size = tensor.shape[at]
    const agrees =
      tensor.shape.length === first.shape.length && tensor.shape.every((d, i) => i === at || d === first.shape[i])
    if (!agrees || tensor.type !== first.type) {
      throw new RangeError(`concat: ${describe(first)} with ${describe(tensor)}; only axis ${axis} may differ.`)
    }
    starts.push(total)
    total += staticSize('concat', size)
  }
  return makeNode('Concat', {
    operands: tensors,
    shape: first.shape.map((d, i) => (i === at ? total : d)),
    type: first.type,
    attributes: { axis: { int: at } },
    gradients: tensors.map(
      (tensor, i) => (gradient) => slice(gradient, at, starts[i], starts[i] + (tensor.shape[at] as number)),
    ),
  })
}

/** Entries start ... end - 1 of an axis; the axis stays. @throws RangeError if they do not lie within the axis */
export function slice(tensor: Tensor, axis: number, start: number, end: number): Tensor {
  const at = resolveAxis('slice', tensor.shape, axis)
  const size = staticSize('slice', tensor.shape[at])
  if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= size)) {
    throw new RangeError(`slice: ${start} to ${end} of axis ${axis} of size ${size}; keep 0 <= start < end <= size.`)
  }
  if (start === 0 && end === size) return tensor
  return makeNode('Slice', {
    operands: [tensor, operandInts([start]), operandInts([end]), operandInts([at])],
    shape: tensor.shape.map((d, i) => (i === at ? end - start : d)),
    type: tensor.type,
    gradients: [(gradient) => pad(gradient, at, start, size - end)],
  })
}

/** Zeros before and after along one axis. */
export function pad(tensor: Tensor, axis: number, before: number, after: number): Tensor {
  const at = resolveAxis('pad', tensor.shape, axis)
  const size = staticSize('pad', tensor.shape[at])
  if (before === 0 && after === 0) return tensor
  const pads = new Array<number>(2 * tensor.shape.length).fill(0)
  pads[at] = before
  pads[at + tensor.shape.length] = after
  return makeNode('Pad', {
    operands: [tensor, operandInts(pads)],
    shape: tensor.shape.map((d, i) => (i === at ? size + before + after : d)),
    type: tensor.type,
    gradients: [(gradient) => slice(gradient, at, before, before + size)],
  })
}

function inferShape(from: Shape, to: Shape): Shape {
  const unknown = to.indexOf(-1)
  const size = shapeSize(from)
  const known = shapeSize(to.filter((d) => d !== -1))
  let target = to
  if (unknown >= 0) {
    let missing: Dimension
    try {
      missing = divideDimensions(size, known)
    } catch {
      throw new RangeError(`reshape: ${formatShape(from)} to ${formatShape(to)}; the sizes do not divide.`)
    }
    target = to.map((d, i) => (i === unknown ? missing : d))
  }
  if (shapeSize(target) !== size || target.includes(-1)) {
    throw new RangeError(`reshape: ${formatShape(from)} to ${formatShape(to)}; keep the number of elements.`)
  }
  return target
}

function operandShapeRaw(dimensions: Shape): Tensor {
  return dimensions.includes(-1) ? operandInts(dimensions as readonly number[]) : operandShape(dimensions)
}

function staticSize(what: string, size: Dimension): number {
  if (typeof size === 'number') return size
  throw new RangeError(`${what}: along the open dimension '${size}'; use an axis whose size is a number.`)
}

function describe(tensor: Tensor): string {
  return `${tensor.type} ${formatShape(tensor.shape)}`
}
