/** Functions of one value, elementwise: exp, log, sqrt, powers, sine and cosine. */
import { div, mul, neg, square } from './arithmetic.js'
import { constant, makeNode, type OperandGradient, type Tensor } from './tensor.js'

export function exp(a: Tensor): Tensor {
  return pointwise('Exp', a, (g, node) => mul(g, node))
}

/** Natural logarithm. */
export function log(a: Tensor): Tensor {
  return pointwise('Log', a, (g) => div(g, a))
}

/** Square root; its gradient is infinite at 0 (see `norm` for a length that is safe there). */
export function sqrt(a: Tensor): Tensor {
  return pointwise('Sqrt', a, (g, node) => div(g, mul(2, node)))
}

/** x to a constant power. */
export function pow(a: Tensor, exponent: number): Tensor {
  if (exponent === 1) return a
  if (exponent === 2) return square(a)
  return makeNode('Pow', {
    operands: [a, constant(exponent)],
    shape: a.shape,
    gradients: [(g) => mul(g, mul(exponent, pow(a, exponent - 1)))],
  })
}

export function sin(a: Tensor): Tensor {
  return pointwise('Sin', a, (g) => mul(g, cos(a)))
}

export function cos(a: Tensor): Tensor {
  return pointwise('Cos', a, (g) => neg(mul(g, sin(a))))
}

/** An operator of one tensor that keeps its shape. */
export function pointwise(operator: string, a: Tensor, gradient: OperandGradient): Tensor {
  return makeNode(operator, { operands: [a], shape: a.shape, gradients: [gradient] })
}
