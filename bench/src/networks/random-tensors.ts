/** Weights of no meaning, for networks whose time is measured and not their answers. */
import { streamOf } from '@pliant/train/unstable/streams'
import { type NetworkShape, networkTensors, type Tensors } from 'pliant/unstable'

/** Weights of a size at which activations neither die nor grow from layer to layer. */
export function randomTensors(shape: NetworkShape): Tensors {
  const random = streamOf('benchWeights', 1)
  const tensors = new Map<string, Float32Array>()
  for (const [name, dimensions] of networkTensors(shape)) {
    const length = dimensions.reduce((product, n) => product * n, 1)
    const scale = name.includes('weight') ? Math.sqrt(2 / dimensions[dimensions.length - 2]) : 0.1
    tensors.set(
      name,
      Float32Array.from({ length }, () => scale * random.normal()),
    )
  }
  return tensors
}
