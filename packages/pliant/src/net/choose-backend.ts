/** Which kernels a network runs on, of those that the host has. */
import { COMPILING_FORBIDDEN } from '../math/wasm/compile-permission.js'
import type { Backend, Network } from './network.js'
import { simdSupport } from './simd-support.js'

const BACKENDS = ['auto', 'simd-relaxed', 'simd', 'scalar'] as const

/** What runs a network and, where 'auto' found no SIMD, why. */
export type BackendChoice = Pick<Network, 'backend' | 'backendNote'>

/**
 * @param backend  what was asked for; 'auto' takes relaxed SIMD, plain SIMD or scalar code, the first that is there
 * @throws RangeError if there is no such backend
 * @throws Error if the host does not have it, or forbids it
 */
export function chooseBackend(backend: 'auto' | Backend = 'auto'): BackendChoice {
  if (!BACKENDS.includes(backend)) {
    throw new RangeError(`network: backend is '${String(backend)}'; choose one of ${BACKENDS.join(', ')}.`)
  }
  if (backend === 'scalar') return { backend }
  const support = simdSupport()
  if (support === 'forbidden') {
    if (backend === 'auto')
      return { backend: 'scalar', backendNote: `plain JavaScript, because ${COMPILING_FORBIDDEN}.` }
    throw new Error(`network: backend '${backend}' cannot run: ${COMPILING_FORBIDDEN}, or use 'auto'.`)
  }
  if (backend === 'auto' && support === 'none') {
    return { backend: 'scalar', backendNote: 'plain JavaScript, because this host has no WebAssembly SIMD.' }
  }
  if (support === 'none' || (backend === 'simd-relaxed' && support === 'plain')) {
    throw new Error(`network: backend '${backend}' is not there on this host, its SIMD is '${support}'; use 'auto'.`)
  }
  return { backend: backend !== 'simd' && support === 'relaxed' ? 'simd-relaxed' : 'simd' }
}
