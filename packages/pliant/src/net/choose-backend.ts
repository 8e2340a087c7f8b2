/** Which kernels a network runs on, of those that the host has. */
import type { Network } from './network.js'
import { simdSupport } from './simd-support.js'

const BACKENDS = ['auto', 'simd-relaxed', 'simd', 'scalar'] as const

/**
 * @param backend  what was asked for; 'auto' takes relaxed SIMD, plain SIMD or scalar code, the first that is there
 * @throws RangeError if there is no such backend
 * @throws Error if the host does not have it
 */
export function chooseBackend(backend: 'auto' | Network['backend'] = 'auto'): Network['backend'] {
  if (!BACKENDS.includes(backend)) {
    throw new RangeError(`network: backend is '${String(backend)}'; choose one of ${BACKENDS.join(', ')}.`)
  }
  if (backend === 'scalar') return backend
  const support = simdSupport()
  if (backend === 'auto' && support === 'none') return 'scalar'
  if (support === 'none' || (backend === 'simd-relaxed' && support === 'plain')) {
    throw new Error(`network: backend '${backend}' is not there on this host, its SIMD is '${support}'; use 'auto'.`)
  }
  return backend !== 'simd' && support === 'relaxed' ? 'simd-relaxed' : 'simd'
}
