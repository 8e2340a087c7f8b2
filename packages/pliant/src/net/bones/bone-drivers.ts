/** What bends each part: rotation vectors over pi of its drivers, as the network takes them. */
import { jointVector } from '../../model/joint-code.js'
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'
import { type BoneFrame, MAX_DRIVERS } from './bone-shape.js'

export class BoneDrivers {
  readonly #skeleton: Skeleton
  /** Joints that bend any part, each once: a joint that bends eight of them costs one logarithm, not eight. */
  readonly #joints: Int32Array
  /** Of each part's drivers, MAX_DRIVERS for each part: where its vector is; where it has fewer, a vector of zeros. */
  readonly #places: Int32Array
  /** By joint: its rotation vector over pi; zeros at the end. */
  readonly #vectors: Float64Array

  constructor(skeleton: Skeleton, bones: readonly BoneFrame[]) {
    const { jointCount } = skeleton
    this.#skeleton = skeleton
    this.#joints = Int32Array.from(new Set(bones.flatMap(({ drivers }) => drivers)))
    this.#places = new Int32Array(MAX_DRIVERS * bones.length).fill(3 * jointCount)
    for (const [b, { drivers }] of bones.entries()) {
      for (const [d, joint] of drivers.entries()) this.#places[MAX_DRIVERS * b + d] = 3 * joint
    }
    this.#vectors = new Float64Array(3 * jointCount + 3)
  }

  /** @param out receives [bones, 3 * MAX_DRIVERS] from `at` on; zero where a bone has fewer drivers */
  write(pose: SkeletonPose, out: Float32Array, at = 0): void {
    const vectors = this.#vectors
    const joints = this.#joints
    const places = this.#places
    for (let j = 0; j < joints.length; j++) {
      const from = 3 * joints[j]
      jointVector(this.#skeleton, pose, joints[j], vectors, from)
      for (let i = from; i < from + 3; i++) vectors[i] /= Math.PI
    }
    for (let d = 0, to = at; d < places.length; d++, to += 3) {
      const from = places[d]
      out[to] = vectors[from]
      out[to + 1] = vectors[from + 1]
      out[to + 2] = vectors[from + 2]
    }
  }
}
