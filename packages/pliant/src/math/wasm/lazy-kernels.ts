/** A module of kernels that is assembled and compiled when it is first needed, once for all who use it. */
import { COMPILING_FORBIDDEN, mayCompile } from './compile-permission.js'
import { ModuleBuilder } from './module.js'

const NO_SIMD = 'this host has no WebAssembly SIMD; update it'

export class LazyKernels {
  #compiled: WebAssembly.Module | undefined
  #obstacle: string | undefined

  /** @param define  puts all kernels into a module */
  constructor(private readonly define: (module: ModuleBuilder) => void) {}

  /** Why they cannot run here, for messages; begins in the middle of a sentence. Undefined where they run. */
  get obstacle(): string | undefined {
    if (!this.#compiled) this.#obstacle ??= this.#compile()
    return this.#obstacle
  }

  /**
   * @param who            begins the message of what is thrown, such as 'cloth'
   * @param asksAddresses  for tests: a module of its own that asks before every load and store
   * @throws Error if they cannot run here
   */
  module(who: string, asksAddresses = false): WebAssembly.Module {
    const { obstacle } = this
    if (obstacle) throw new Error(`${who}: kernel 'simd' cannot run: ${obstacle}, or use 'auto'.`)
    return asksAddresses ? new WebAssembly.Module(this.#assemble(true)) : this.#compiled!
  }

  #compile(): string | undefined {
    if (typeof WebAssembly === 'undefined') return NO_SIMD
    const bytes = this.#assemble(false)
    if (!WebAssembly.validate(bytes)) return NO_SIMD
    if (!mayCompile()) return COMPILING_FORBIDDEN
    this.#compiled = new WebAssembly.Module(bytes)
    return undefined
  }

  #assemble(checksAddresses: boolean): Uint8Array<ArrayBuffer> {
    const module = new ModuleBuilder()
    this.define(module)
    return module.bytes({ checksAddresses })
  }
}
