/** The network in bone frames on SIMD WebAssembly: tensors packed into one memory, the work done by the kernels here. */
import type { Floats } from '../../../math/floats.js'
import { requireQuery } from '../../../math/require.js'
import { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { checkPosed } from '../../network-checks.js'
import { type KernelInstance, type SimdOptions, startKernels } from '../../wasm/kernel-instance.js'
import { answerPoints, type PointProgram, reserveStaging, type Staging } from '../../wasm/point-batches.js'
import { checkPoseLengths, requireFinitePose } from '../bone-checks.js'
import type { BoneNetwork } from '../bone-network.js'
import { type BoneNetworkShape, boneMultiplications } from '../bone-shape.js'
import { FarPoints } from '../far-points.js'
import { type BonePlan, planBones } from './bone-plan.js'
import { BonePose } from './bone-pose.js'
import { type BoneKernels, defineBoneKernels } from './run-bones.js'

/** About 50 us of work. */
const WORTH_SHARING = 3e5

/** @param tensors  checked to be complete; copied */
export async function createSimdBoneNetwork(
  shape: BoneNetworkShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdBoneNetwork> {
  const arena = new Arena(options.checkAddresses !== undefined)
  const staging = reserveStaging(arena)
  const plan = planBones(shape, tensors, staging, arena)
  const { scratchSize } = plan
  const kernels = { define: defineBoneKernels, worthSharing: WORTH_SHARING }
  const instance = await startKernels<BoneKernels>({ ...options, ...kernels, arena, scratchSize })
  return new SimdBoneNetwork(shape, plan, instance, staging)
}

export class SimdBoneNetwork implements BoneNetwork {
  readonly shape: BoneNetworkShape
  readonly #instance: KernelInstance<BoneKernels>
  readonly #pose: BonePose
  readonly #evaluate: PointProgram
  readonly #gradient: PointProgram
  readonly #farPoints: FarPoints
  #isPosed = false

  constructor(shape: BoneNetworkShape, plan: BonePlan, instance: KernelInstance<BoneKernels>, staging: Staging) {
    this.shape = shape
    this.#instance = instance
    this.#pose = new BonePose(shape, plan, instance.kernels, instance.floats)
    // Two threads must not pose one bone: before they share points, all bones are posed.
    const beforeSharing = (): void => instance.kernels.poseBones(plan.evaluate, instance.scratches[0])
    const work = boneMultiplications(shape)
    this.#evaluate = { staging, address: plan.evaluate, work, beforeSharing }
    this.#gradient = { staging, address: plan.gradient, work: 2 * work, beforeSharing }
    const alone = { staging, address: plan.gradient, work: 0 }
    this.#farPoints = new FarPoints(shape, (point, distance, gradient) =>
      answerPoints(instance, alone, point, 1, distance, gradient),
    )
  }

  get backend() {
    return this.#instance.backend
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return this.#instance.threads
  }

  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
    checkPoseLengths(this.shape, matrices, drivers)
    // As floats, in which a driver may be too large.
    if (!this.#pose.set(matrices, drivers)) requireFinitePose(matrices, Float32Array.from(drivers))
    this.#isPosed = true
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    checkPosed(this.#isPosed)
    requireQuery(points, count, distances, gradients)
    const program = gradients ? this.#gradient : this.#evaluate
    answerPoints(this.#instance, program, points, count, distances, gradients)
    this.#farPoints.answer(this.#pose.anyPlace, points, count, distances, gradients)
  }

  dispose(): void {
    this.#instance.dispose()
  }
}
