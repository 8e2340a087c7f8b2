/**
 * Batches of points through WebAssembly memory: staging buffers by which they come in and answers go out, the kernels'
 * instance, and the threads that share the large ones. What it all computes is the program's matter.
 */
import type { Floats } from '../../math/floats.js'
import { shown } from '../../math/require.js'
import type { Arena } from './arena.js'
import { type KernelExports, kernelModule } from './kernel-module.js'
import { CONTROL_WORDS, canShareMemory, type Entry, startThreads, type Threads } from './threads.js'

/** Points per trip through the staging buffers. */
const CAPACITY = 4096

export interface SimdOptions {
  /** Use relaxed SIMD; the host must have it. */
  relaxed: boolean
  /** Threads that share large batches, the caller's included. */
  threads: number
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
  /** Which driver answers. */
  entry: Entry
  /** Multiplications below which waking a thread costs more than it saves. */
  worthSharing: number
}

export async function startBatches(setup: BatchSetup): Promise<Batches> {
  const { arena, relaxed, entry } = setup
  if (!Number.isFinite(setup.threads)) {
    throw new RangeError(`network: threads is ${shown(setup.threads)}; give a whole number of at least 1.`)
  }
  const threadCount = canShareMemory() ? Math.max(1, Math.floor(setup.threads)) : 1
  const scratches = Array.from({ length: threadCount }, () => arena.reserve(setup.scratchSize))
  const control = arena.reserve(CONTROL_WORDS)
  const shared = threadCount > 1
  const module = await kernelModule({ relaxed, shared })
  const memory = arena.createMemory(shared)
  const instance = await WebAssembly.instantiate(module, { env: { memory } })
  const kernels = instance.exports as unknown as KernelExports
  const threads = shared ? await startThreads({ module, memory, control, scratches, kernels, entry }) : undefined
  return new Batches(setup, kernels, new Float32Array(memory.buffer), scratches, threads)
}

export class Batches {
  readonly backend: 'simd' | 'simd-relaxed'
  readonly kernels: KernelExports
  /** The whole memory. */
  readonly floats: Float32Array
  /** Scratch blocks; the first is the caller's. */
  readonly scratches: readonly number[]
  readonly #setup: BatchSetup
  #threads: Threads | undefined

  constructor(
    setup: BatchSetup,
    kernels: KernelExports,
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
    const { staging, entry, worthSharing } = this.#setup
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
        this.kernels[entry](program, 0, size, this.scratches[0])
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
