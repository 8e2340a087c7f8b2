/**
 * A plain dense network from n numbers to m, as plain data: the trainer builds its graph from it, every inference
 * backend and the ONNX export follow it.
 *
 *   h(0) = x,  h(l+1) = activation(h(l) W(l) + b(l)),  y = output(h(last) W(last) + b(last))
 *
 * Its gradients are asked for as a vector-Jacobian product ("pull back"): g = J(x)^T c for a cotangent c, one number per
 * output. With one output and c = 1 that is the gradient; with many, the gradient of any loss whose derivative by the
 * outputs is c. Either way it costs about as much again as the value.
 *
 * Tensors by name, row-major: dense.{l}.weight [in, out], dense.{l}.bias [out], l = 0 for the layer that sees the inputs.
 */

/** CELU of alpha = 1, which papers also name, is 'elu'. */
export type Activation = 'relu' | 'silu' | 'tanh' | 'elu' | 'softplus'

/** Sizes of a dense network. */
export interface DenseShape {
  /** n: how many numbers go in. */
  inputs: number
  /** m: how many come out. */
  outputs: number
  /** Widths of the hidden layers; none for an affine map. */
  hidden: number[]
  /** Behind every hidden layer. */
  activation: Activation
  /** Behind the last one. */
  output: 'linear' | Exclude<Activation, 'relu'>
}

/** Widths of the rows between layers, the inputs' and the outputs' included: one more than there are layers. */
export function denseWidths({ inputs, hidden, outputs }: Pick<DenseShape, 'inputs' | 'hidden' | 'outputs'>): number[] {
  return [inputs, ...hidden, outputs]
}

/** Name -> dimensions of every tensor, weight before bias, in the order of the layers. */
export function denseTensors(shape: Pick<DenseShape, 'inputs' | 'hidden' | 'outputs'>): Map<string, number[]> {
  const widths = denseWidths(shape)
  return new Map(
    widths.slice(1).flatMap((width, l): [string, number[]][] => [
      [`dense.${l}.weight`, [widths[l], width]],
      [`dense.${l}.bias`, [width]],
    ]),
  )
}

/** Multiplications of one value. */
export function denseMultiplications(shape: Pick<DenseShape, 'inputs' | 'hidden' | 'outputs'>): number {
  const widths = denseWidths(shape)
  return widths.slice(1).reduce((sum, width, l) => sum + widths[l] * width, 0)
}
