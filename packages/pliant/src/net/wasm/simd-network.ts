/** The network on SIMD WebAssembly: tensors packed into one memory, the work done by the kernels of this folder. */
import type { Floats } from '../../math/floats.js'
import type { Network, Tensors } from '../network.js'
import { checkCode, checkQuery } from '../network-checks.js'
import { multiplicationsPerQuery, type NetworkShape } from '../network-shape.js'
import { Arena } from './arena.js'
import { type KernelExports, kernelModule } from './kernel-module.js'
import { padChannels } from './pack.js'
import { type PosePlan, planPose, runPose, transposeLayers } from './pose-plan.js'
import { type Programs, type Staging, writePrograms } from './program.js'
import { TILE } from './records.js'
import { CONTROL_WORDS, canShareMemory, startThreads, type Threads } from './threads.js'

/** Points per trip through the staging buffers. */
const CAPACITY = 4096
/** Multiplications below which waking a thread costs more than it saves: about 70 us of work. */
const WORTH_SHARING = 1e6

export interface SimdOptions {
  /** Use relaxed SIMD; the host must have it. */
  relaxed: boolean
  /** Threads that share large batches, the caller's included. */
  threads: number
}

/** @param tensors  checked to be complete; copied */
export async function createSimdNetwork(
  shape: NetworkShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdNetwork> {
  const threadCount = canShareMemory() ? Math.max(1, Math.floor(options.threads)) : 1
  const arena = new Arena()
  const pose = planPose(shape, tensors, arena)
  const grids = shape.grids.map((grid, j) => ({
    shape: grid,
    data: arena.place(padChannels(tensors.get(`grid.${j}`)!, grid.channels)),
  }))
  if (shape.warp) grids.unshift({ shape: shape.warp, data: pose.warp })
  const staging: Staging = {
    points: arena.reserve(3 * CAPACITY),
    values: arena.reserve(CAPACITY),
    gradients: arena.reserve(3 * CAPACITY),
    capacity: CAPACITY,
  }
  const programs = writePrograms(shape, pose.layers, grids, staging, arena)
  const scratches = Array.from({ length: threadCount }, () => arena.reserve(programs.scratchSize))
  const control = arena.reserve(CONTROL_WORDS)
  const codeUnits = shape.conditioning.kind === 'blend' ? shape.conditioning.hidden : 0
  const spare = arena.reserve(codeUnits)

  const shared = threadCount > 1
  const module = await kernelModule({ relaxed: options.relaxed, shared })
  const memory = arena.createMemory(shared)
  for (const scratch of scratches) new Float32Array(memory.buffer, scratch + programs.seeds, TILE).fill(1)
  const instance = await WebAssembly.instantiate(module, { env: { memory } })
  const kernels = instance.exports as unknown as KernelExports
  const threads = shared ? await startThreads({ module, memory, control, scratches, kernels, entry: 'run' }) : undefined
  return new SimdNetwork(
    shape,
    options.relaxed ? 'simd-relaxed' : 'simd',
    { kernels, memory, pose, programs, staging, spare, scratch: scratches[0] },
    threads,
  )
}

interface Parts {
  kernels: KernelExports
  memory: WebAssembly.Memory
  pose: PosePlan
  programs: Programs
  staging: Staging
  /** Slopes of the code's hidden units go here, unread. */
  spare: number
  scratch: number
}

export class SimdNetwork implements Network {
  readonly shape: NetworkShape
  readonly backend: 'simd' | 'simd-relaxed'
  readonly #parts: Parts
  readonly #floats: Float32Array
  readonly #multiplications: number
  #threads: Threads | undefined
  #isPosed = false
  #isTransposed = false

  constructor(shape: NetworkShape, backend: SimdNetwork['backend'], parts: Parts, threads: Threads | undefined) {
    this.shape = shape
    this.backend = backend
    this.#parts = parts
    this.#floats = new Float32Array(parts.memory.buffer)
    this.#multiplications = multiplicationsPerQuery(shape)
    this.#threads = threads
    if (shape.code === 0) this.pose([])
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return 1 + (this.#threads?.count ?? 0)
  }

  pose(code: ArrayLike<number>): void {
    checkCode(this.shape, code)
    const { pose, kernels, spare } = this.#parts
    const at = pose.code / 4
    for (let i = 0; i < code.length; i++) this.#floats[at + i] = code[i]
    runPose(pose, kernels, spare)
    this.#isPosed = true
    if (pose.changesWeights) this.#isTransposed = false
  }

  evaluate(points: Floats, count: number, out: Floats): void {
    checkQuery(this.#isPosed, points, count, out)
    this.#answer(this.#parts.programs.evaluate, this.#multiplications, points, count, out, undefined)
  }

  gradient(points: Floats, count: number, outValues: Floats, outGradients: Floats): void {
    checkQuery(this.#isPosed, points, count, outValues, outGradients)
    if (!this.#isTransposed) {
      transposeLayers(this.#parts.pose, this.#parts.kernels)
      this.#isTransposed = true
    }
    this.#answer(this.#parts.programs.gradient, 2 * this.#multiplications, points, count, outValues, outGradients)
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
    outValues: Floats,
    outGradients: Floats | undefined,
  ): void {
    const { kernels, scratch, staging } = this.#parts
    const floats = this.#floats
    const [pointsAt, valuesAt, gradientsAt] = [staging.points / 4, staging.values / 4, staging.gradients / 4]
    for (let start = 0; start < count; start += staging.capacity) {
      const size = Math.min(staging.capacity, count - start)
      // Loops, not set(subarray): no allocation per query, and faster for a few points.
      for (let i = 0; i < 3 * size; i++) floats[pointsAt + i] = points[3 * start + i]
      if (this.#threads && size * work >= WORTH_SHARING) {
        this.#threads.run(program, size)
      } else {
        kernels.run(program, 0, size, scratch)
      }
      for (let i = 0; i < size; i++) outValues[start + i] = floats[valuesAt + i]
      if (!outGradients) continue
      for (let i = 0; i < 3 * size; i++) outGradients[3 * start + i] = floats[gradientsAt + i]
    }
  }
}
