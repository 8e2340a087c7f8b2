/** The network in bone frames on SIMD WebAssembly: tensors packed into one memory, the work done by the kernels here. */
import type { Floats } from '../../../math/floats.js'
import type { Tensors } from '../../network.js'
import { checkQuery } from '../../network-checks.js'
import { Arena } from '../../wasm/arena.js'
import { type KernelExports, kernelModule } from '../../wasm/kernel-module.js'
import type { SimdOptions } from '../../wasm/simd-network.js'
import { CONTROL_WORDS, canShareMemory, startThreads, type Threads } from '../../wasm/threads.js'
import { checkBonePose } from '../bone-checks.js'
import { makePosedBones, type PosedBones, poseBones } from '../bone-choice.js'
import type { BoneNetwork } from '../bone-network.js'
import { type BoneNetworkShape, boneMultiplications } from '../bone-shape.js'
import { type BonePlan, type BoneStaging, planBones } from './bone-plan.js'
import { writeDrivers, writePosedBones, writeStillParts } from './bone-pose.js'

/** Points per trip through the staging buffers. */
const CAPACITY = 4096
/** Multiplications below which waking a thread costs more than it saves: about 50 us of work. */
const WORTH_SHARING = 3e5

/** @param tensors  checked to be complete; copied */
export async function createSimdBoneNetwork(
  shape: BoneNetworkShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdBoneNetwork> {
  const threadCount = canShareMemory() ? Math.max(1, Math.floor(options.threads)) : 1
  const arena = new Arena()
  const staging: BoneStaging = {
    points: arena.reserve(3 * CAPACITY),
    values: arena.reserve(CAPACITY),
    gradients: arena.reserve(3 * CAPACITY),
  }
  const plan = planBones(shape, tensors, staging, arena)
  const scratches = Array.from({ length: threadCount }, () => arena.reserve(plan.scratchSize))
  const control = arena.reserve(CONTROL_WORDS)
  const shared = threadCount > 1
  const module = await kernelModule({ relaxed: options.relaxed, shared })
  const memory = arena.createMemory(shared)
  writeStillParts(shape, plan, new Float32Array(memory.buffer))
  const instance = await WebAssembly.instantiate(module, { env: { memory } })
  const kernels = instance.exports as unknown as KernelExports
  const threads = shared
    ? await startThreads({ module, memory, control, scratches, kernels, entry: 'runBones' })
    : undefined
  return new SimdBoneNetwork(
    shape,
    options.relaxed ? 'simd-relaxed' : 'simd',
    { kernels, memory, plan, staging, scratch: scratches[0] },
    threads,
  )
}

interface Parts {
  kernels: KernelExports
  memory: WebAssembly.Memory
  plan: BonePlan
  staging: BoneStaging
  scratch: number
}

export class SimdBoneNetwork implements BoneNetwork {
  readonly shape: BoneNetworkShape
  readonly backend: 'simd' | 'simd-relaxed'
  readonly #parts: Parts
  readonly #floats: Float32Array
  readonly #posed: PosedBones
  readonly #multiplications: number
  #threads: Threads | undefined
  #isPosed = false

  constructor(
    shape: BoneNetworkShape,
    backend: SimdBoneNetwork['backend'],
    parts: Parts,
    threads: Threads | undefined,
  ) {
    this.shape = shape
    this.backend = backend
    this.#parts = parts
    this.#floats = new Float32Array(parts.memory.buffer)
    this.#posed = makePosedBones(shape.bones.length)
    this.#multiplications = boneMultiplications(shape)
    this.#threads = threads
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return 1 + (this.#threads?.count ?? 0)
  }

  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
    checkBonePose(this.shape, matrices, drivers)
    const { plan } = this.#parts
    poseBones(this.shape, matrices, this.#posed)
    writePosedBones(this.#posed, plan, this.#floats)
    writeDrivers(drivers, plan, this.#floats)
    this.#isPosed = true
  }

  evaluate(points: Floats, count: number, out: Floats): void {
    checkQuery(this.#isPosed, points, count, out)
    this.#answer(this.#parts.plan.evaluate, this.#multiplications, points, count, out, undefined)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    checkQuery(this.#isPosed, points, count, outDistances, outGradients)
    this.#answer(this.#parts.plan.gradient, 2 * this.#multiplications, points, count, outDistances, outGradients)
  }

  dispose(): void {
    this.#threads?.stop()
    this.#threads = undefined
  }

  #answer(
    program: number,
    work: number,
    points: Floats,
    count: number,
    outDistances: Floats,
    outGradients: Floats | undefined,
  ): void {
    const { kernels, scratch, staging } = this.#parts
    const floats = this.#floats
    const [pointsAt, valuesAt, gradientsAt] = [staging.points / 4, staging.values / 4, staging.gradients / 4]
    for (let start = 0; start < count; start += CAPACITY) {
      const size = Math.min(CAPACITY, count - start)
      // Loops, not set(subarray): no allocation per query, and faster for a few points.
      for (let i = 0; i < 3 * size; i++) floats[pointsAt + i] = points[3 * start + i]
      if (this.#threads && size * work >= WORTH_SHARING) {
        // Before they share: two threads must not pose one bone.
        kernels.poseBones(program, scratch)
        this.#threads.run(program, size)
      } else kernels.runBones(program, 0, size, scratch)
      for (let i = 0; i < size; i++) outDistances[start + i] = floats[valuesAt + i]
      if (!outGradients) continue
      for (let i = 0; i < 3 * size; i++) outGradients[3 * start + i] = floats[gradientsAt + i]
    }
  }
}
