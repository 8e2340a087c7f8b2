/** The network on SIMD WebAssembly: tensors packed into one memory, the work done by the kernels of this folder. */
import type { Floats } from '../../math/floats.js'
import { requireQuery } from '../../math/require.js'
import { Arena } from '../../math/wasm/arena.js'
import type { Network, Tensors } from '../network.js'
import { checkCode, checkPosed } from '../network-checks.js'
import { multiplicationsPerQuery, type NetworkShape } from '../network-shape.js'
import { type KernelInstance, type SimdOptions, startKernels } from './kernel-instance.js'
import { padChannels } from './pack.js'
import { answerPoints, type PointProgram, reserveStaging } from './point-batches.js'
import { definePointKernels, type PointKernels } from './point-kernels.js'
import { type PosePlan, planPose, runPose, transposeLayers } from './pose-plan.js'
import { writePrograms } from './program.js'
import { TILE } from './records.js'

/** About 70 us of work. */
const WORTH_SHARING = 1e6

/** @param tensors  checked to be complete; copied */
export async function createSimdNetwork(
  shape: NetworkShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdNetwork> {
  const arena = new Arena(options.checkAddresses !== undefined)
  const pose = planPose(shape, tensors, arena)
  const grids = shape.grids.map((grid, j) => ({
    shape: grid,
    data: arena.place(padChannels(tensors.get(`grid.${j}`)!, grid.channels)),
  }))
  if (shape.warp) grids.unshift({ shape: shape.warp, data: pose.warp })
  const staging = reserveStaging(arena)
  const programs = writePrograms(shape, pose.layers, grids, staging, arena)
  const codeUnits = shape.conditioning.kind === 'blend' ? shape.conditioning.hidden : 0
  const spare = arena.reserve(codeUnits)
  const { scratchSize } = programs
  const kernels = { define: definePointKernels, worthSharing: WORTH_SHARING }
  const instance = await startKernels<PointKernels>({ ...options, ...kernels, arena, scratchSize })
  for (const scratch of instance.scratches) {
    const seeds = (scratch + programs.seeds) / 4
    instance.floats.fill(1, seeds, seeds + TILE)
  }
  const work = multiplicationsPerQuery(shape)
  return new SimdNetwork(shape, instance, {
    pose,
    spare,
    evaluate: { staging, address: programs.evaluate, work },
    gradient: { staging, address: programs.gradient, work: 2 * work },
  })
}

interface Parts {
  pose: PosePlan
  evaluate: PointProgram
  gradient: PointProgram
  /** Slopes of the code's hidden units go here, unread. */
  spare: number
}

export class SimdNetwork implements Network {
  readonly shape: NetworkShape
  readonly #parts: Parts
  readonly #instance: KernelInstance<PointKernels>
  #isPosed = false
  #isTransposed = false

  constructor(shape: NetworkShape, instance: KernelInstance<PointKernels>, parts: Parts) {
    this.shape = shape
    this.#parts = parts
    this.#instance = instance
    if (shape.code === 0) this.pose([])
  }

  get backend() {
    return this.#instance.backend
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return this.#instance.threads
  }

  pose(code: ArrayLike<number>): void {
    checkCode(this.shape, code)
    const { pose, spare } = this.#parts
    const { floats, kernels } = this.#instance
    const at = pose.code / 4
    for (let i = 0; i < code.length; i++) floats[at + i] = code[i]
    runPose(pose, kernels, spare)
    this.#isPosed = true
    if (pose.changesWeights) this.#isTransposed = false
  }

  query(points: Floats, count: number, values: Floats, gradients?: Floats): void {
    checkPosed(this.#isPosed)
    requireQuery(points, count, values, gradients)
    const { pose, evaluate, gradient } = this.#parts
    if (gradients && !this.#isTransposed) {
      transposeLayers(pose, this.#instance.kernels)
      this.#isTransposed = true
    }
    answerPoints(this.#instance, gradients ? gradient : evaluate, points, count, values, gradients)
  }

  dispose(): void {
    this.#instance.dispose()
  }
}
