/**
 * Kernels on a memory, and the threads that share large batches of rows. What a program computes, and how its rows come
 * in and answers go out, is the matter of whoever wrote it.
 */
import { shown } from '../../math/require.js'
import type { AddressCheck } from '../../math/wasm/address-check.js'
import type { Arena } from '../../math/wasm/arena.js'
import { type DefineKernels, type Driver, kernelModule } from './kernel-module.js'
import { CONTROL_WORDS, canShareMemory, startThreads, type Threads } from './threads.js'

export interface SimdOptions {
  /** Use relaxed SIMD; the host must have it. */
  relaxed: boolean
  /** Threads that share large batches, the caller's included. */
  threads: number
  /** For tests: asked before every load and store. */
  checkAddresses?: AddressCheck
}

export interface InstanceSetup extends SimdOptions {
  /** Everything but scratch blocks has its place. */
  arena: Arena
  /** Words of scratch that each thread needs. */
  scratchSize: number
  /** Kernels of this kind of network. */
  define: DefineKernels
  /** Multiplications below which waking a thread costs more than it saves. */
  worthSharing: number
}

/** @typeParam K  what the module of `setup.define` exports */
export async function startKernels<K extends Driver>(setup: InstanceSetup): Promise<KernelInstance<K>> {
  const { arena, relaxed, checkAddresses } = setup
  if (!Number.isFinite(setup.threads)) {
    throw new RangeError(`network: threads is ${shown(setup.threads)}; give a whole number of at least 1.`)
  }
  const threadCount = canShareMemory() ? Math.max(1, Math.floor(setup.threads)) : 1
  const scratches = Array.from({ length: threadCount }, () => arena.reserve(setup.scratchSize))
  const control = arena.reserve(CONTROL_WORDS)
  const shared = threadCount > 1
  const module = await kernelModule(setup.define, { relaxed, shared, checksAddresses: checkAddresses !== undefined })
  const memory = arena.createMemory(shared)
  const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
  const kernels = (await WebAssembly.instantiate(module, imports)).exports as unknown as K
  const threads = shared ? await startThreads({ module, memory, control, scratches, kernels }) : undefined
  return new KernelInstance(setup, kernels, new Float32Array(memory.buffer), scratches, threads)
}

export class KernelInstance<K extends Driver> {
  readonly backend: 'simd' | 'simd-relaxed'
  readonly kernels: K
  /** The whole memory. */
  readonly floats: Float32Array
  /** Scratch blocks; the first is the caller's. */
  readonly scratches: readonly number[]
  readonly #worthSharing: number
  #threads: Threads | undefined

  constructor(
    setup: InstanceSetup,
    kernels: K,
    floats: Float32Array,
    scratches: readonly number[],
    threads: Threads | undefined,
  ) {
    this.backend = setup.relaxed ? 'simd-relaxed' : 'simd'
    this.kernels = kernels
    this.floats = floats
    this.scratches = scratches
    this.#worthSharing = setup.worthSharing
    this.#threads = threads
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return 1 + (this.#threads?.count ?? 0)
  }

  /**
   * Answers `count` rows by a program.
   * @param work  multiplications per row
   * @param beforeSharing  called when threads are about to share them
   */
  run(program: number, count: number, work: number, beforeSharing?: () => void): void {
    if (this.#threads && count * work >= this.#worthSharing) {
      beforeSharing?.()
      this.#threads.run(program, count)
    } else {
      this.kernels.run(program, 0, count, this.scratches[0])
    }
  }

  /** Ends the threads; the caller's own goes on answering. */
  dispose(): void {
    this.#threads?.stop()
    this.#threads = undefined
  }
}
