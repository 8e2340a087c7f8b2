/**
 * What a file may hold as a network: one file in this folder for each kind, registered in ./index.ts. The manifest
 * names the kind, so that nobody has to guess from its keys.
 */
import type { Tensors as NetworkTensors } from '../../net/network.js'
import type { Tensors } from '../take.js'

/** What a network says of itself in the manifest. */
export interface NetworkManifest {
  /** Name of the kind. */
  kind: string
}

/** What the rest of the manifest tells about the object that a network is of; sizes are checked before. */
export interface NetworkContext {
  codeSize: number
  /** Frames that bones may go with: joints of a skeleton; 0 if it has none. */
  joints: number
  /** Nodes of an elastic body; 0 if it has none. */
  nodes: number
}

export interface NetworkKind<N extends NetworkManifest> {
  /** @throws Error naming the first field that is missing or wrong */
  check(network: Record<string, unknown>, context: NetworkContext, path: string): void
  /** @throws Error if a tensor is missing */
  store(network: N, tensors: NetworkTensors, context: NetworkContext): Tensors
  /** @throws Error if a tensor is missing or of another shape */
  take(network: N, stored: Tensors, context: NetworkContext): Map<string, Float32Array>
  /** Of one query, once posed. */
  multiplications(network: N): number
}

/** @throws Error naming the tensor, if it is missing */
export function tensorOf(tensors: NetworkTensors, name: string, dims: readonly number[]): Float32Array {
  const data = tensors.get(name)
  if (!data) throw new Error(`artifact: tensor ${name} is missing; the network's shape asks for [${dims}].`)
  return data
}
