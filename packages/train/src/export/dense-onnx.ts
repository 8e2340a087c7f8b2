/** A dense network as plain ONNX, for `createOrtDenseNetwork` of pliant/ort and for every other engine. */
import { type DenseShape, denseTensors } from 'pliant/unstable/dense'
import { constant, exportOnnx, input } from '../graph/index.js'
import { denseGraph, pullBackGraph } from '../learn/dense-graph.js'

/**
 * Inputs `inputs` [rows, n] and `cotangents` [rows, m]; outputs `values` [rows, m] and `gradients` [rows, n].
 * @param tensors  everything that `denseTensors(shape)` lists
 */
export function exportDenseOnnx(
  shape: DenseShape,
  tensors: ReadonlyMap<string, Float32Array>,
): Uint8Array<ArrayBuffer> {
  const dimensions = denseTensors(shape)
  const inputs = input('inputs', ['rows', shape.inputs])
  const cotangents = input('cotangents', ['rows', shape.outputs])
  const values = denseGraph(shape, (name) => constant(tensors.get(name)!, dimensions.get(name)!), inputs)
  return exportOnnx({
    inputs: [inputs, cotangents],
    outputs: { values, gradients: pullBackGraph(values, cotangents, inputs) },
    parametersAsConstants: true,
  })
}
