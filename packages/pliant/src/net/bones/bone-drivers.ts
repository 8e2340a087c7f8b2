/** What bends each part: rotation vectors over pi of its drivers, as the network takes them. */
import { jointVector } from '../../model/joint-code.js'
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'
import { type BoneFrame, MAX_DRIVERS } from './bone-shape.js'

export class BoneDrivers {
  readonly #skeleton: Skeleton
  readonly #bones: readonly BoneFrame[]
  /** Joints that bend any part, each once: a joint that bends eight of them costs one logarithm, not eight. */
  readonly #joints: number[]
  /** By joint: its rotation vector over pi. */
  readonly #vectors: Float64Array

  constructor(skeleton: Skeleton, bones: readonly BoneFrame[]) {
    this.#skeleton = skeleton
    this.#bones = bones
    this.#joints = [...new Set(bones.flatMap(({ drivers }) => drivers))]
    this.#vectors = new Float64Array(3 * skeleton.jointCount)
  }

  /** @param out receives [bones, 3 * MAX_DRIVERS] from `at` on; zero where a bone has fewer drivers */
  write(pose: SkeletonPose, out: Float32Array, at = 0): void {
    const vectors = this.#vectors
    for (const joint of this.#joints) {
      jointVector(this.#skeleton, pose, joint, vectors, 3 * joint)
      for (let i = 3 * joint; i < 3 * joint + 3; i++) vectors[i] /= Math.PI
    }
    for (const [b, { drivers }] of this.#bones.entries()) {
      let to = at + 3 * MAX_DRIVERS * b
      const end = to + 3 * MAX_DRIVERS
      for (const joint of drivers) {
        for (let i = 3 * joint; i < 3 * joint + 3; i++) out[to++] = vectors[i]
      }
      while (to < end) out[to++] = 0
    }
  }
}
