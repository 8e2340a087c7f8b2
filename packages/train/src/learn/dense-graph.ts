/** A dense network as a graph of tensors; the formula is the one in pliant's dense-shape.ts, line by line. */
import type { Activation, DenseShape } from 'pliant/unstable/dense'
import { add, elu, grad, matmul, mul, relu, silu, softplus, sum, type Tensor, tanh } from '../graph/index.js'

const ACTIVATION = { relu, silu, tanh, elu: (x: Tensor) => elu(x), softplus, linear: (x: Tensor) => x }

export function activate(activation: Activation | 'linear', x: Tensor): Tensor {
  return ACTIVATION[activation](x)
}

/**
 * @param tensor  of each name that `denseTensors(shape)` lists
 * @param inputs  [rows, n]
 * @returns values, [rows, m]
 */
export function denseGraph(shape: DenseShape, tensor: (name: string) => Tensor, inputs: Tensor): Tensor {
  let row = inputs
  for (let l = 0; l <= shape.hidden.length; l++) {
    const sums = add(matmul(row, tensor(`dense.${l}.weight`)), tensor(`dense.${l}.bias`))
    row = activate(l < shape.hidden.length ? shape.activation : shape.output, sums)
  }
  return row
}

/**
 * The vector-Jacobian product, itself a graph that can be differentiated.
 * @param values      [rows, m]
 * @param cotangents  [rows, m]
 * @param inputs      [rows, n], of which the values are a graph
 * @returns [rows, n]
 */
export function pullBackGraph(values: Tensor, cotangents: Tensor, inputs: Tensor): Tensor {
  return grad(sum(mul(values, cotangents)), [inputs])[0]
}
