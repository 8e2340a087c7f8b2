/** The dense network on SIMD WebAssembly: tensors packed into one memory, rows through staging buffers. */
import type { Floats } from '../../../math/floats.js'
import { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { type KernelInstance, type SimdOptions, startKernels } from '../../wasm/kernel-instance.js'
import type { Driver } from '../../wasm/kernel-module.js'
import { requirePullBack, requireRows } from '../dense-checks.js'
import type { DenseNetwork } from '../dense-network.js'
import { type DenseShape, denseMultiplications } from '../dense-shape.js'
import { defineDenseKernels } from './dense-kernels.js'
import { type DensePlan, planDense, type StagedRows } from './dense-plan.js'

/** About 70 us of work. */
const WORTH_SHARING = 1e6

/** @param tensors  checked to be complete; copied */
export async function createSimdDenseNetwork(
  shape: DenseShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdDenseNetwork> {
  const arena = new Arena(options.checkAddresses !== undefined)
  const plan = planDense(shape, tensors, arena)
  const { scratchSize } = plan
  const kernels = { define: defineDenseKernels, worthSharing: WORTH_SHARING }
  return new SimdDenseNetwork(shape, plan, await startKernels({ ...options, ...kernels, arena, scratchSize }))
}

export class SimdDenseNetwork implements DenseNetwork {
  readonly shape: DenseShape
  readonly #plan: DensePlan
  readonly #instance: KernelInstance<Driver>
  readonly #multiplications: number

  constructor(shape: DenseShape, plan: DensePlan, instance: KernelInstance<Driver>) {
    this.shape = shape
    this.#plan = plan
    this.#instance = instance
    this.#multiplications = denseMultiplications(shape)
  }

  get backend() {
    return this.#instance.backend
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return this.#instance.threads
  }

  evaluate(inputs: Floats, count: number, out: Floats): void {
    requireRows(this.shape, inputs, count, out)
    const { capacity, evaluate, inputs: staged, values } = this.#plan
    for (let start = 0; start < count; start += capacity) {
      const rows = Math.min(capacity, count - start)
      this.#put(inputs, start, rows, staged)
      this.#instance.run(evaluate, rows, this.#multiplications)
      this.#take(values, start, rows, out)
    }
  }

  pullBack(inputs: Floats, count: number, cotangents: Floats | null, outValues: Floats, outGradients: Floats): void {
    requirePullBack(this.shape, inputs, count, cotangents, outValues, outGradients)
    const plan = this.#plan
    for (let start = 0; start < count; start += plan.capacity) {
      const rows = Math.min(plan.capacity, count - start)
      this.#put(inputs, start, rows, plan.inputs)
      this.#put(cotangents, start, rows, plan.cotangents)
      this.#instance.run(plan.pullBack, rows, 2 * this.#multiplications)
      this.#take(plan.values, start, rows, outValues)
      this.#take(plan.gradients, start, rows, outGradients)
    }
  }

  dispose(): void {
    this.#instance.dispose()
  }

  /** Rows from `start` on into memory; ones for null. Loops, not set(subarray): no allocation per query. */
  #put(source: Floats | null, start: number, rows: number, { address, width, stride }: StagedRows): void {
    const { floats } = this.#instance
    for (let row = 0, from = start * width, to = address / 4; row < rows; row++, from += width, to += stride) {
      if (source) for (let i = 0; i < width; i++) floats[to + i] = source[from + i]
      else floats.fill(1, to, to + width)
    }
  }

  #take({ address, width, stride }: StagedRows, start: number, rows: number, out: Floats): void {
    const { floats } = this.#instance
    for (let row = 0, from = address / 4, to = start * width; row < rows; row++, from += stride, to += width) {
      for (let i = 0; i < width; i++) out[to + i] = floats[from + i]
    }
  }
}
