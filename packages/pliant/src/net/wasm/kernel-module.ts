/** Kernels as WebAssembly modules, one per kind of network, assembled when first needed and shared by all of that kind. */
import { ModuleBuilder } from '../../math/wasm/assembler.js'
import { type Madd, plainMadd, relaxedMadd } from './madd.js'

/** What a module exports for batches of points, whatever the kind of network. */
export interface Driver {
  /** Answers `count` points of a program from point `first` on. Addresses in bytes. */
  run(program: number, first: number, count: number, scratch: number): void
}

/** Adds the kernels of a kind of network to a module, and exports those that JavaScript calls. */
export type DefineKernels = (module: ModuleBuilder, madd: Madd) => void

export interface KernelVariant {
  /** Fused multiply-add of relaxed SIMD. */
  relaxed: boolean
  /** For a memory that threads share. */
  shared: boolean
  /** Every load and store asks the host first (math/wasm/address-check.ts). */
  checksAddresses?: boolean
}

const compiled = new Map<DefineKernels, Map<string, Promise<WebAssembly.Module>>>()

/** Not one module per network: several alive in one Node 20 process sometimes ran up to four times slower. */
export function kernelModule(define: DefineKernels, variant: KernelVariant): Promise<WebAssembly.Module> {
  const variants = compiled.get(define) ?? new Map<string, Promise<WebAssembly.Module>>()
  compiled.set(define, variants)
  const key = JSON.stringify(variant)
  const known = variants.get(key)
  if (known) return known
  const module = WebAssembly.compile(assembleKernels(define, variant))
  variants.set(key, module)
  return module
}

export function assembleKernels(define: DefineKernels, variant: KernelVariant): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder()
  define(module, variant.relaxed ? relaxedMadd : plainMadd)
  return module.bytes(variant)
}
