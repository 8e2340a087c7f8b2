/** Whole numbers as float32 and back: indices are computed by matrix products, which exist for float32 only. */
import { elementCode } from './onnx/model.js'
import { makeNode, type Tensor } from './tensor.js'

/** Whole numbers below this are exact in float32. */
export const EXACT_INTEGERS = 2 ** 24

/** The same numbers as another type, fractions cut off; no gradient flows. */
export function cast(tensor: Tensor, type: 'float32' | 'int32'): Tensor {
  const to = elementCode(type)
  return makeNode('Cast', { operands: [tensor], shape: tensor.shape, type, attributes: { to: { int: to } } })
}
