/**
 * Activations of networks. Each gradient is written with the fewest passes over the data that its closed form allows,
 * from the output where possible, since a pass over a large batch costs memory bandwidth and nothing else.
 */
import { add, div, mul, square, sub } from './arithmetic.js'
import { sum } from './broadcast.js'
import { pointwise } from './pointwise.js'
import { greater, minimum, where } from './select.js'
import { makeNode, resolveAxis, type Tensor } from './tensor.js'

/** max(x, 0); the gradient at 0 is 0. */
export function relu(a: Tensor): Tensor {
  return pointwise('Relu', a, (g, node) => where(greater(node, 0), g, 0))
}

/** x above 0, alpha (e^x - 1) below. */
export function elu(a: Tensor, alpha = 1): Tensor {
  // With alpha = 1 the slope is 1 + min(y, 0): no mask.
  if (alpha === 1) return pointwise('Elu', a, (g, node) => mul(g, add(minimum(node, 0), 1)))
  return makeNode('Elu', {
    operands: [a],
    shape: a.shape,
    attributes: { alpha: { float: alpha } },
    gradients: [(g, node) => mul(g, where(greater(a, 0), 1, add(node, alpha)))],
  })
}

/** x above 0, alpha (e^(x/alpha) - 1) below: its slope is continuous for every alpha > 0. */
export function celu(a: Tensor, alpha = 1): Tensor {
  if (!(alpha > 0)) throw new RangeError(`celu: alpha ${alpha}; use a number above 0.`)
  return makeNode('Celu', {
    operands: [a],
    shape: a.shape,
    attributes: { alpha: { float: alpha } },
    gradients: [(g, node) => mul(g, add(div(minimum(node, 0), alpha), 1))],
  })
}

/** log(1 + e^x). */
export function softplus(a: Tensor): Tensor {
  return pointwise('Softplus', a, (g) => mul(g, sigmoid(a)))
}

/** 1 / (1 + e^-x). */
export function sigmoid(a: Tensor): Tensor {
  return pointwise('Sigmoid', a, (g, node) => mul(g, sub(node, square(node))))
}

/** x sigmoid(x). */
export function silu(a: Tensor): Tensor {
  const s = sigmoid(a)
  // y' = s (1 + x - y) is the whole derivative, also through s: hence none for the second operand.
  return makeNode('Mul', {
    operands: [a, s],
    shape: a.shape,
    gradients: [(g, node) => mul(g, mul(s, add(sub(a, node), 1)))],
  })
}

export function tanh(a: Tensor): Tensor {
  return pointwise('Tanh', a, (g, node) => mul(g, sub(1, square(node))))
}

/** e^x / sum(e^x) along an axis. */
export function softmax(a: Tensor, axis: number): Tensor {
  const at = resolveAxis('softmax', a.shape, axis)
  return makeNode('Softmax', {
    operands: [a],
    shape: a.shape,
    attributes: { axis: { int: at } },
    gradients: [
      (g, node) => {
        const weighted = mul(g, node)
        return sub(weighted, mul(node, sum(weighted, at, true)))
      },
    ],
  })
}
