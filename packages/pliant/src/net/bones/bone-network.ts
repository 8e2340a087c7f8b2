/** The network in bone frames (formula and tensors: bone-shape.ts), ready to be asked, by the fastest backend here. */
import type { Box, EdgeBox, Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { chooseBackend } from '../choose-backend.js'
import type { NetworkOptions } from '../create-network.js'
import type { Backend, Tensors } from '../network.js'
import { checkBoneNetwork } from './bone-checks.js'
import type { BoneNetworkShape } from './bone-shape.js'
import { ScalarBoneNetwork } from './scalar-bone-network.js'
import { createSimdBoneNetwork } from './wasm/simd-bone-network.js'

export interface BoneNetwork {
  readonly shape: BoneNetworkShape
  readonly backend: Backend
  readonly backendNote?: string
  /**
   * Does all work that depends on the pose alone.
   * @param matrices  joint frame to root frame, column-major 4x4 per joint
   * @param drivers   rotation vectors over pi of each bone's drivers, [bones, 3 * MAX_DRIVERS], zero where there is none
   * @throws RangeError if either is too short
   */
  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void
  /**
   * Distances [m] at `count` points in the root frame [m] (xyz triples); with an array for them, gradients with respect
   * to the point in the same pass: the exact derivative, that of the windows included, where the chosen bones stay the
   * same.
   */
  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void
  /**
   * What distances lie between over a box in the root frame [m]; undefined where nothing can be promised. Of networks made
   * with bounds.
   * @param origin  what the box's coordinates count from, if not from the root frame's origin [m]
   */
  bounds?(box: Box | EdgeBox, origin?: Vec3): readonly [number, number] | undefined
  /** Ends helper threads, if any. */
  dispose(): void
}

/**
 * @param tensors  everything that `boneTensors(shape)` lists
 * @throws RangeError if a tensor is missing or has the wrong length, or the shape contradicts itself
 * @throws RangeError, Error if there is no such backend, or not on this host, or its content security policy forbids it
 */
export async function createBoneNetwork(
  shape: BoneNetworkShape,
  tensors: Tensors,
  options: NetworkOptions = {},
): Promise<BoneNetwork> {
  checkBoneNetwork(shape, tensors)
  const network = await backendNetwork(shape, tensors, options)
  if (options.bounds === undefined) return network
  const { BoundedBones } = await import('../bounds/bounded-bones.js')
  return new BoundedBones(network, tensors, options.bounds)
}

async function backendNetwork(
  shape: BoneNetworkShape,
  tensors: Tensors,
  options: NetworkOptions,
): Promise<BoneNetwork> {
  const { backend, backendNote } = chooseBackend(options.backend)
  if (backend === 'scalar') return new ScalarBoneNetwork(shape, tensors, backendNote)
  return createSimdBoneNetwork(shape, tensors, { relaxed: backend === 'simd-relaxed', threads: options.threads ?? 1 })
}
