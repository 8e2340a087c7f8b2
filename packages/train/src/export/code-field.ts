/**
 * A trained field over codes as plain ONNX, for every other engine: input `codes` [n, c] as the user has them, outputs
 * `distance` [n] and `gradient` [n, c] in the unit of the code. The box is part of the graph: outside of it the file
 * answers what the runtime answers, distance and gradient at the nearest code of the box.
 */
import { constant, exportOnnx, grad, input, maximum, minimum, reshape, sum } from '../graph/index.js'
import type { ContactGraph } from '../learn/self-contact/contact-graph.js'

/**
 * @param tensors  everything that the graph names
 * @param bounds   box of codes that was trained
 */
export function exportCodeField(
  graph: ContactGraph,
  tensors: ReadonlyMap<string, Float32Array>,
  bounds: { lower: ArrayLike<number>; upper: ArrayLike<number> },
): Uint8Array<ArrayBuffer> {
  const { codeSize, tensors: dimensions } = graph
  const codes = input('codes', ['n', codeSize])
  const end = (values: ArrayLike<number>) => constant(Float32Array.from(values), [1, codeSize])
  const inside = minimum(maximum(codes, end(bounds.lower)), end(bounds.upper))
  const values = graph.values((name) => constant(tensors.get(name)!, dimensions.get(name)!), inside, 'n')
  return exportOnnx({
    inputs: [codes],
    outputs: { distance: reshape(values, ['n']), gradient: grad(sum(values), [inside])[0] },
    parametersAsConstants: true,
  })
}
