/**
 * Batches of points through WebAssembly memory: staging buffers by which they come in and answers go out, the kernels'
 * instance, and the threads that share the large ones. What it all computes is the program's matter.
 */
import type { Floats } from '../../math/floats.js'
import { shown } from '../../math/require.js'
import type { AddressCheck } from '../../math/wasm/address-check.js'
import type { Arena } from '../../math/wasm/arena.js'
import { type DefineKernels, type Driver, kernelModule } from './kernel-module.js'
import { CONTROL_WORDS, canShareMemory, startThreads, type Threads } from './threads.js'

/** Points per trip through the staging buffers. */
const CAPACITY = 4096

export interface SimdOptions {
  /** Use relaxed SIMD; the host must have it. */
  relaxed: boolean
  /** Threads that share large batches, the caller's included. */
  threads: number
  /** For tests: asked before every load and store. */
  checkAddresses?: AddressCheck
}

/** Where points come from and answers go to: addresses that programs name. */
export interface Staging {
  points: number
  values: number
  gradients: number
}

export function reserveStaging(arena: Arena): Staging {
  return {
    points: arena.reserve(3 * CAPACITY),
    values: arena.reserve(CAPACITY),
    gradients: arena.reserve(3 * CAPACITY),
  }
}

export interface BatchSetup extends SimdOptions {
  /** Everything but scratch blocks has its place. */
  arena: Arena
  staging: Staging
  /** Words of scratch that each thread needs. */
  scratchSize: number
  /** Kernels of this kind of network. */
  define: DefineKernels
  /** Multiplications below which waking a thread costs more than it saves. */
  worthSharing: number
}

/** @typeParam K  what the module of `setup.define` exports */
export async function startBatches<K extends Driver>(setup: BatchSetup): Promise<Batches<K>> {
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
  const instance = await WebAssembly.instantiate(module, {
    env: { memory },
    ...checkAddresses?.(module, arena.regions),
  })
  const kernels = instance.exports as unknown as K
  const threads = shared ? await startThreads({ module, memory, control, scratches, kernels }) : undefined
  return new Batches(setup, kernels, new Float32Array(memory.buffer), scratches, threads)
}

export class Batches<K extends Driver> {
  readonly backend: 'simd' | 'simd-relaxed'
  readonly kernels: K
  /** The whole memory. */
  readonly floats: Float32Array
  /** Scratch blocks; the first is the caller's. */
  readonly scratches: readonly number[]
  readonly #setup: BatchSetup
  #threads: Threads | undefined

  constructor(
    setup: BatchSetup,
    kernels: K,
    floats: Float32Array,
    scratches: readonly number[],
    threads: Threads | undefined,
  ) {
    this.backend = setup.relaxed ? 'simd-relaxed' : 'simd'
    this.kernels = kernels
    this.floats = floats
    this.scratches = scratches
    this.#setup = setup
    this.#threads = threads
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return 1 + (this.#threads?.count ?? 0)
  }

  /**
   * Answers `count` points by a program.
   * @param work  multiplications per point
   * @param beforeSharing  called when threads are about to share points
   */
  answer(
    program: number,
    work: number,
    points: Floats,
    count: number,
    outValues: Floats,
    outGradients?: Floats,
    beforeSharing?: () => void,
  ): void {
    const { staging, worthSharing } = this.#setup
    const floats = this.floats
    const [pointsAt, valuesAt, gradientsAt] = [staging.points / 4, staging.values / 4, staging.gradients / 4]
    for (let start = 0; start < count; start += CAPACITY) {
      const size = Math.min(CAPACITY, count - start)
      // Loops, not set(subarray): no allocation per query, and faster for a few points.
      for (let i = 0; i < 3 * size; i++) floats[pointsAt + i] = points[3 * start + i]
      if (this.#threads && size * work >= worthSharing) {
        beforeSharing?.()
        this.#threads.run(program, size)
      } else {
        this.kernels.run(program, 0, size, this.scratches[0])
      }
      for (let i = 0; i < size; i++) outValues[start + i] = floats[valuesAt + i]
      if (!outGradients) continue
      for (let i = 0; i < 3 * size; i++) outGradients[3 * start + i] = floats[gradientsAt + i]
    }
  }

  /** Ends the threads; the caller's own goes on answering. */
  dispose(): void {
    this.#threads?.stop()
    this.#threads = undefined
  }
}
