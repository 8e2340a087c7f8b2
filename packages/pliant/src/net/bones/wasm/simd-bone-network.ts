/** The network in bone frames on SIMD WebAssembly: tensors packed into one memory, the work done by the kernels here. */
import type { Floats } from '../../../math/floats.js'
import { requireGradientQuery, requireQuery } from '../../../math/require.js'
import { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { checkPosed } from '../../network-checks.js'
import { type Batches, reserveStaging, type SimdOptions, startBatches } from '../../wasm/batches.js'
import { checkBonePose } from '../bone-checks.js'
import { makePosedBones, type PosedBones, poseBones } from '../bone-choice.js'
import type { BoneNetwork } from '../bone-network.js'
import { type BoneNetworkShape, boneMultiplications } from '../bone-shape.js'
import { FarPoints } from '../far-points.js'
import { type BonePlan, planBones } from './bone-plan.js'
import { writeDrivers, writePosedBones, writeStillParts } from './bone-pose.js'
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
  const batches = await startBatches<BoneKernels>({ ...options, ...kernels, arena, staging, scratchSize })
  writeStillParts(shape, plan, batches.floats)
  return new SimdBoneNetwork(shape, plan, batches)
}

export class SimdBoneNetwork implements BoneNetwork {
  readonly shape: BoneNetworkShape
  readonly #plan: BonePlan
  readonly #batches: Batches<BoneKernels>
  readonly #posed: PosedBones
  readonly #multiplications: number
  /** Two threads must not pose one bone: before they share points, all bones are posed. */
  readonly #poseAll: () => void
  readonly #farPoints: FarPoints
  #isPosed = false

  constructor(shape: BoneNetworkShape, plan: BonePlan, batches: Batches<BoneKernels>) {
    this.shape = shape
    this.#plan = plan
    this.#batches = batches
    this.#posed = makePosedBones(shape.bones.length)
    this.#multiplications = boneMultiplications(shape)
    this.#poseAll = () => batches.kernels.poseBones(plan.evaluate, batches.scratches[0])
    this.#farPoints = new FarPoints(shape, (point, distance, gradient) =>
      batches.answer(plan.gradient, 0, point, 1, distance, gradient),
    )
  }

  get backend() {
    return this.#batches.backend
  }

  /** Threads that share large batches, the caller's included. */
  get threads(): number {
    return this.#batches.threads
  }

  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
    checkBonePose(this.shape, matrices, drivers)
    const { floats } = this.#batches
    poseBones(this.shape, matrices, this.#posed)
    writePosedBones(this.#posed, this.#plan, floats)
    writeDrivers(drivers, this.#plan, floats)
    this.#isPosed = true
  }

  evaluate(points: Floats, count: number, out: Floats): void {
    checkPosed(this.#isPosed)
    requireQuery(points, count, out)
    this.#batches.answer(this.#plan.evaluate, this.#multiplications, points, count, out, undefined, this.#poseAll)
    this.#farPoints.answer(this.#posed.segments, points, count, out)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    checkPosed(this.#isPosed)
    requireGradientQuery(points, count, outDistances, outGradients)
    const work = 2 * this.#multiplications
    this.#batches.answer(this.#plan.gradient, work, points, count, outDistances, outGradients, this.#poseAll)
    this.#farPoints.answer(this.#posed.segments, points, count, outDistances, outGradients)
  }

  dispose(): void {
    this.#batches.dispose()
  }
}
