/**
 * The host's side of modules that check addresses (`ModuleBuilder.bytes`), for tests: a load or store outside of what was
 * reserved throws, and says which function wanted what. Without it, a kernel that writes past an array into the next one
 * shows only where the next one is read.
 */
import type { Region } from './arena.js'

/** Kernels may read, never use, up to a vector past an array [bytes]. */
const READ_AHEAD = 16

/** What a module that checks addresses imports beside its memory. */
export type AddressCheck = (module: WebAssembly.Module, regions: readonly Region[]) => WebAssembly.Imports

/**
 * Imports that let a module touch these regions alone; one load or store must stay within one of them.
 * @param regions  what was reserved, in any order
 */
export const checkAddresses: AddressCheck = (module, regions) => {
  const checks = WebAssembly.Module.imports(module).filter((entry) => entry.module === 'check')
  const checkFor = (name: string) => (address: number, offset: number, bytes: number, isWrite: number) => {
    const start = (address >>> 0) + offset
    const spare = isWrite ? 0 : READ_AHEAD
    if (!regions.some((region) => start >= region.start && start + bytes <= region.end + spare)) {
      const what = isWrite ? 'writes' : 'reads'
      throw new RangeError(`wasm function '${name}': ${what} ${bytes} bytes at ${start}, where nothing is reserved.`)
    }
    return address
  }
  return { check: Object.fromEntries(checks.map(({ name }) => [name, checkFor(name)])) }
}
