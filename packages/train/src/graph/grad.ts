/**
 * Reverse-mode differentiation. It builds more graph out of the same operations, so its results can be differentiated
 * again: `grad(mean(square(sub(norm(grad(f, [x])[0], 1), 1))), weights)` is an eikonal term's gradient.
 */
import { add } from './arithmetic.js'
import { expand } from './broadcast.js'
import { formatShape } from './dimension.js'
import { constant, type Tensor } from './tensor.js'

/**
 * Gradients of the sum of all elements of `loss`.
 * @param inputs  tensors to differentiate with respect to: inputs, parameters, or any value in between
 * @returns one tensor per input, of its shape; zeros where the loss does not depend on it
 */
export function grad(loss: Tensor, inputs: readonly Tensor[]): Tensor[] {
  if (loss.type !== 'float32') throw new RangeError(`grad: loss of type ${loss.type}; pass a float32 tensor.`)
  const order = dependents(loss, new Set(inputs))
  const onPath = new Set(order)
  const gradients = new Map<Tensor, Tensor>([[loss, expand(constant(1), loss.shape)]])
  for (const node of order) {
    const gradient = gradients.get(node)
    if (!gradient) continue
    node.operands.forEach((operand, i) => {
      const rule = node.gradients[i]
      if (!rule || !onPath.has(operand)) return
      const part = rule(gradient, node)
      if (part.shape.length !== operand.shape.length || part.shape.some((d, axis) => d !== operand.shape[axis])) {
        const shapes = `${formatShape(part.shape)} for ${formatShape(operand.shape)}`
        throw new Error(`grad: ${node.operator} gave a gradient of shape ${shapes}; its rule is wrong.`)
      }
      const sofar = gradients.get(operand)
      gradients.set(operand, sofar ? add(sofar, part) : part)
    })
  }
  return inputs.map((tensor) => gradients.get(tensor) ?? expand(constant(0), tensor.shape))
}

/** Nodes between loss and targets, each after all that use it: ids grow with creation, so descending ids do. */
function dependents(loss: Tensor, targets: ReadonlySet<Tensor>): Tensor[] {
  const reachable = new Set<Tensor>([loss])
  for (const node of reachable) {
    node.operands.forEach((operand, i) => {
      if (node.gradients[i]) reachable.add(operand)
    })
  }
  const ascending = [...reachable].sort((a, b) => a.id - b.id)
  const found = new Set<Tensor>()
  for (const node of ascending) {
    if (targets.has(node) || node.operands.some((operand, i) => node.gradients[i] && found.has(operand)))
      found.add(node)
  }
  return [...found].reverse()
}
