/** A network as ONNX in its own normalised units, parameters baked in; onnxruntime computes every output, asked for or not. */
import { networkGraph } from '@pliant/train/unstable'
import { constant, exportOnnx, grad, input, reshape, sum, type Tensor } from '@pliant/train/unstable/graph'
import { type NetworkShape, networkTensors, type Tensors } from 'pliant/unstable'

export function networkOnnx(shape: NetworkShape, tensors: Tensors, withGradient: boolean): Uint8Array {
  const points = input('points', ['n', 3])
  const code = input('code', [shape.code])
  const dimensions = networkTensors(shape)
  const value = networkGraph(shape, (name) => constant(tensors.get(name)!, dimensions.get(name)!), {
    points,
    codes: reshape(code, [1, shape.code]),
    poses: 1,
    pointsPerPose: 'n',
  })
  const distance = reshape(value, ['n'])
  const outputs: Record<string, Tensor> = withGradient
    ? { distance, gradient: grad(sum(value), [points])[0] }
    : { distance }
  return exportOnnx({ inputs: [points, code], outputs, parametersAsConstants: true })
}
