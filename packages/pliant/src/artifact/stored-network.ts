/** A character's network in its file: ours packed (stored-bones.ts), the paper's in single precision, as there is little of it. */
import type { Tensors as NetworkTensors } from '../net/network.js'
import { networkTensors } from '../net/network-shape.js'
import { type CharacterNetworkShape, isWholeBody } from './character-network.js'
import { storeBoneNetwork, takeBoneNetwork } from './stored-bones.js'
import { type Tensors, take } from './take.js'

/** @throws Error if a tensor is missing */
export function storeNetwork(shape: CharacterNetworkShape, network: NetworkTensors): Tensors {
  const stored: Tensors = new Map()
  if (!isWholeBody(shape)) {
    storeBoneNetwork(shape, network, stored)
    return stored
  }
  for (const [name, dims] of networkTensors(shape.dense)) {
    const data = network.get(name)
    if (!data) throw new Error(`character: tensor ${name} is missing; the network's shape asks for [${dims}].`)
    stored.set(`net.${name}`, { shape: dims, data })
  }
  return stored
}

/** @throws Error if a tensor is missing or of another shape */
export function takeNetwork(shape: CharacterNetworkShape, tensors: Tensors): Map<string, Float32Array> {
  if (!isWholeBody(shape)) return takeBoneNetwork(shape, tensors)
  const dense = [...networkTensors(shape.dense)]
  return new Map(dense.map(([name, dims]) => [name, take(tensors, `net.${name}`, dims, Float32Array)]))
}
