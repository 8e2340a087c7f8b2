/** From shape and tensors to something that answers: picks the fastest backend that the host can run. */
import type { Symbols } from './bounds/dense-bounds.js'
import { chooseBackend } from './choose-backend.js'
import type { Backend, Network, Tensors } from './network.js'
import { checkNetwork } from './network-checks.js'
import type { NetworkShape } from './network-shape.js'
import { simdSupport } from './simd-support.js'
import { createSimdNetwork } from './wasm/simd-network.js'

export { simdSupport }

/** What runs a network. */
export interface NetworkOptions {
  /** 'auto' takes relaxed SIMD, plain SIMD or scalar code, the first that the host has and allows. */
  backend?: 'auto' | Backend
  /** Threads that share large batches, the caller's included; 1 where memory cannot be shared. Default 1. */
  threads?: number
  /**
   * Whether `bounds` answers, and by how many symbols: 'all' is tightest, 'fixed' cheapest and loose, a number keeps so many
   * of the largest. None if left out: then only what lies clear of the trained domain is bounded.
   */
  bounds?: Symbols
}

/**
 * @param tensors  everything that `networkTensors(shape)` lists
 * @throws RangeError if a tensor is missing or has the wrong length, or the shape contradicts itself
 * @throws RangeError, Error if there is no such backend, or not on this host, or its content security policy forbids it
 */
export async function createNetwork(
  shape: NetworkShape,
  tensors: Tensors,
  options: NetworkOptions = {},
): Promise<Network> {
  checkNetwork(shape, tensors)
  const network = await backendNetwork(shape, tensors, options)
  if (options.bounds === undefined) return network
  const { BoundedNetwork } = await import('./bounds/bounded-network.js')
  return new BoundedNetwork(network, tensors, options.bounds)
}

async function backendNetwork(shape: NetworkShape, tensors: Tensors, options: NetworkOptions): Promise<Network> {
  const { backend, backendNote } = chooseBackend(options.backend)
  if (backend === 'scalar') {
    // Hardly any page needs it, so none loads it before it is needed.
    const { ScalarNetwork } = await import('./scalar/scalar-network.js')
    return new ScalarNetwork(shape, tensors, backendNote)
  }
  return createSimdNetwork(shape, tensors, { relaxed: backend === 'simd-relaxed', threads: options.threads ?? 1 })
}
