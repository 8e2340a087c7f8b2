/** What bends each part: rotation vectors over pi of its drivers, as the network takes them. */
import { jointVector } from '../../model/joint-code.js'
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'
import { type BoneFrame, MAX_DRIVERS } from './bone-shape.js'

/** @param out receives [bones, 3 * MAX_DRIVERS] from `at` on; zero where a bone has fewer drivers */
export function driverVectors(
  skeleton: Skeleton,
  bones: readonly BoneFrame[],
  pose: SkeletonPose,
  out: Float32Array,
  at = 0,
): void {
  const end = at + 3 * MAX_DRIVERS * bones.length
  out.fill(0, at, end)
  bones.forEach((bone, b) => {
    bone.drivers.forEach((joint, i) => {
      jointVector(skeleton, pose, joint, out, at + 3 * (b * MAX_DRIVERS + i))
    })
  })
  for (let i = at; i < end; i++) out[i] /= Math.PI
}
