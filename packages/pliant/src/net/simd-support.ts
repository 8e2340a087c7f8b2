/** Which WebAssembly SIMD the host runs, found by validating the smallest module that uses it. */
import { f32x4, ModuleBuilder, type V128 } from '../math/wasm/assembler.js'
import { mayCompile } from '../math/wasm/compile-permission.js'

/**
 * Which WebAssembly SIMD the host runs. 'relaxed' includes 'plain'. Node 20 has relaxed SIMD behind a flag only, Node
 * 22 and Chromium have it. 'forbidden': the host would run it, but a content security policy without
 * 'wasm-unsafe-eval' forbids to compile it.
 */
export function simdSupport(): 'relaxed' | 'plain' | 'forbidden' | 'none' {
  if (typeof WebAssembly === 'undefined') return 'none'
  const one = f32x4.const(1)
  if (!validates(one)) return 'none'
  if (!mayCompile()) return 'forbidden'
  return validates(f32x4.relaxedMadd(one, one, one)) ? 'relaxed' : 'plain'
}

function validates(value: V128): boolean {
  const module = new ModuleBuilder()
  module.define('probe', { params: {}, result: 'v128' }, () => [value])
  return WebAssembly.validate(module.bytes())
}
