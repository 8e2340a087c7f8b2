/**
 * Elementwise arithmetic of two tensors, with broadcasting. The constructors drop what cannot change the result (adding
 * 0, multiplying by 1, repeating before a broadcast) and take a bias into the product before it, because every pass
 * over an activation costs about as much as two thirds of a matrix product.
 */
import { broadcastShapes, sumTo, withoutExpand } from './broadcast.js'
import { shapesEqual } from './dimension.js'
import { gemmWithBias } from './matmul.js'
import { constant, makeNode, type OperandGradient, scalarValue, type Tensor } from './tensor.js'

/** A tensor, or a number that stands for a scalar. */
export type Operand = Tensor | number

export function add(a: Operand, b: Operand): Tensor {
  const [p, q] = pair(a, b)
  const [x, y] = [scalarValue(p), scalarValue(q)]
  if (x !== undefined && y !== undefined) return constant(x + y)
  if (x === 0) return q
  if (y === 0) return p
  return gemmWithBias(p, q) ?? gemmWithBias(q, p) ?? elementwise('Add', p, q, [(g) => g, (g) => g])
}

export function sub(a: Operand, b: Operand): Tensor {
  const [p, q] = pair(a, b)
  const [x, y] = [scalarValue(p), scalarValue(q)]
  if (x !== undefined && y !== undefined) return constant(x - y)
  if (y === 0) return p
  if (x === 0) return neg(q)
  return elementwise('Sub', p, q, [(g) => g, (g) => neg(g)])
}

export function mul(a: Operand, b: Operand): Tensor {
  const [p, q] = pair(a, b)
  const [x, y] = [scalarValue(p), scalarValue(q)]
  if (x !== undefined && y !== undefined) return constant(x * y)
  if (x === 1) return q
  if (y === 1) return p
  if (x === -1) return neg(q)
  if (y === -1) return neg(p)
  return elementwise('Mul', p, q, [(g) => mul(g, q), (g) => mul(g, p)])
}

export function div(a: Operand, b: Operand): Tensor {
  const [p, q] = pair(a, b)
  const [x, y] = [scalarValue(p), scalarValue(q)]
  if (x !== undefined && y !== undefined) return constant(x / y)
  if (y === 1) return p
  return elementwise('Div', p, q, [(g) => div(g, q), (g, node) => neg(div(mul(g, node), q))])
}

export function neg(a: Tensor): Tensor {
  const value = scalarValue(a)
  if (value !== undefined) return constant(-value)
  if (a.operator === 'Neg') return a.operands[0]
  return makeNode('Neg', { operands: [a], shape: a.shape, gradients: [(g) => neg(g)] })
}

/** x * x. */
export function square(a: Tensor): Tensor {
  return makeNode('Mul', { operands: [a, a], shape: a.shape, gradients: [(g) => mul(g, mul(2, a))] })
}

/** Turns numbers into scalars and drops repetitions that broadcasting makes needless. */
export function pair(a: Operand, b: Operand): [Tensor, Tensor] {
  const p = typeof a === 'number' ? constant(a) : a
  const q = typeof b === 'number' ? constant(b) : b
  const left = withoutExpand(p, q.shape)
  return [left, withoutExpand(q, left.shape)]
}

/** An elementwise operator of two tensors; the given gradients have the result's shape and are summed back. */
export function elementwise(
  operator: string,
  a: Tensor,
  b: Tensor,
  gradients: readonly [OperandGradient, OperandGradient],
): Tensor {
  const shape = broadcastShapes(operator.toLowerCase(), a.shape, b.shape)
  const back = (operand: Tensor, gradient: OperandGradient): OperandGradient =>
    shapesEqual(operand.shape, shape) ? gradient : (g, node) => sumTo(gradient(g, node), operand.shape)
  return makeNode(operator, { operands: [a, b], shape, gradients: [back(a, gradients[0]), back(b, gradients[1])] })
}
