/** Builds a module and gives what it exports as 'run', on a page of memory. */
import { ModuleBuilder } from '../../../src/math/wasm/assembler.js'

export function assemble(define: (module: ModuleBuilder) => void) {
  const builder = new ModuleBuilder()
  define(builder)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const module = new WebAssembly.Module(builder.bytes())
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return { run: exports['run'] as (...args: number[]) => number, module, buffer: memory.buffer }
}
