/** An elastic body's network in parts in its file: bone frames as characters store them, weights of nodes as bytes. */
import type { BoneNetworkShape } from '../net/bones/bone-shape.js'
import { partTensors } from '../net/bones/part-shape.js'
import type { Tensors as NetworkTensors } from '../net/network.js'
import { storeBoneNetwork, takeBoneNetwork } from './stored-bones.js'
import { type Tensors, take } from './take.js'

/** Weights are fractions of this. */
const WHOLE = 255

/** @throws Error if a tensor is missing */
export function storeParts(shape: BoneNetworkShape, nodes: number, network: NetworkTensors, stored: Tensors): void {
  storeBoneNetwork(shape, network, stored)
  for (const [name, dims] of partTensors(shape.bones.length, nodes)) {
    const data = network.get(name)
    if (!data) throw new Error(`artifact: tensor ${name} is missing; the parts need [${dims}].`)
    const isWeights = name === 'part.weights'
    stored.set(name, { shape: dims, data: isWeights ? Uint8Array.from(data, (w) => Math.round(WHOLE * w)) : data })
  }
}

/** @throws Error if a tensor is missing or of another shape */
export function takePartsNetwork(shape: BoneNetworkShape, nodes: number, tensors: Tensors): Map<string, Float32Array> {
  const network = takeBoneNetwork(shape, tensors)
  for (const [name, dims] of partTensors(shape.bones.length, nodes)) {
    const isWeights = name === 'part.weights'
    network.set(
      name,
      isWeights
        ? Float32Array.from(take(tensors, name, dims, Uint8Array), (byte) => byte / WHOLE)
        : take(tensors, name, dims, Float32Array),
    )
  }
  return network
}

/** Weights as they come back from a file, so that what is trained is what users get. */
export function weightsAsStored(weights: Float32Array): Float32Array {
  return weights.map((weight) => Math.round(WHOLE * weight) / WHOLE)
}
