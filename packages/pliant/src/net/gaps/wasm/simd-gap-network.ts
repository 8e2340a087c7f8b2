/** The gap network on SIMD WebAssembly: tensors packed into one memory, codes through staging buffers. */
import type { Floats } from '../../../math/floats.js'
import { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { type KernelInstance, type SimdOptions, startKernels } from '../../wasm/kernel-instance.js'
import type { Driver } from '../../wasm/kernel-module.js'
import type { GapBackend } from '../gap-network.js'
import { type GapShape, gapMultiplications } from '../gap-shape.js'
import { defineGapKernels } from './gap-kernels.js'
import { type GapPlan, planGaps } from './gap-plan.js'

/** About 70 us of work. */
const WORTH_SHARING = 1e6

/** @param tensors  checked to be complete; copied */
export async function createSimdGapNetwork(
  shape: GapShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdGapNetwork> {
  const arena = new Arena(options.checkAddresses !== undefined)
  const plan = planGaps(shape, tensors, arena)
  const { scratchSize } = plan
  const kernels = { define: defineGapKernels, worthSharing: WORTH_SHARING }
  return new SimdGapNetwork(shape, plan, await startKernels({ ...options, ...kernels, arena, scratchSize }))
}

export class SimdGapNetwork implements GapBackend {
  readonly #multiplications: number

  constructor(
    private readonly shape: GapShape,
    private readonly plan: GapPlan,
    private readonly instance: KernelInstance<Driver>,
  ) {
    this.#multiplications = gapMultiplications(shape)
  }

  get backend() {
    return this.instance.backend
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const { plan, instance } = this
    const { codeSize } = this.shape
    const { floats } = instance
    const [program, work] = gradients ? [plan.gradient, 2] : [plan.evaluate, 1]
    for (let start = 0; start < count; start += plan.capacity) {
      const rows = Math.min(plan.capacity, count - start)
      for (let row = 0, from = start * codeSize, to = plan.codes / 4; row < rows; row++, to += plan.codeStride) {
        for (let k = 0; k < codeSize; k++) floats[to + k] = codes[from++]
      }
      instance.run(program, rows, work * this.#multiplications)
      for (let row = 0, from = plan.values / 4; row < rows; row++, from += plan.valueStride) {
        values[start + row] = floats[from]
      }
      if (!gradients) continue
      for (let row = 0, to = start * codeSize, from = plan.gradients / 4; row < rows; row++, from += plan.codeStride) {
        for (let k = 0; k < codeSize; k++) gradients[to++] = floats[from + k]
      }
    }
  }

  dispose(): void {
    this.instance.dispose()
  }
}
