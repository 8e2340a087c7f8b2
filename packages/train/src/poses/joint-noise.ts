/**
 * Noise on every joint below the root, in the code or not, and beyond the range of the clips: a network in bone frames
 * answers from the live skeleton, which may be moved by clips that training never saw.
 */
import type { Random } from 'pliant'
import type { Skeleton, SkeletonPose } from 'pliant/character'
import { multiplyQuaternions, quaternionOfVector } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'

/**
 * @param angle root mean square of the angle that each joint is turned by [rad]
 * @returns a pose of its own
 */
export function withJointNoise(skeleton: Skeleton, from: SkeletonPose, angle: number, random: Random): SkeletonPose {
  const pose = {
    translations: from.translations.slice(),
    rotations: from.rotations.slice(),
    scales: from.scales.slice(),
  }
  const vector = new Float64Array(3)
  const turn = new Float64Array(4)
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    if (skeleton.belowRoot[joint] === 0) continue
    for (let axis = 0; axis < 3; axis++) vector[axis] = (angle / Math.sqrt(3)) * random.normal()
    quaternionOfVector(vector, 0, turn, 0)
    multiplyQuaternions(pose.rotations, 4 * joint, turn, 0, pose.rotations, 4 * joint)
  }
  return pose
}

/**
 * Poses spread evenly over a list, with noise on every joint if asked for.
 * @param degrees root mean square of the noise
 */
export function spreadPoses(
  skeleton: Skeleton,
  poses: readonly SkeletonPose[],
  count: number,
  degrees: number,
): SkeletonPose[] {
  return Array.from({ length: count }, (_, i) => {
    const pose = poses[Math.floor(((i + 0.5) * poses.length) / count)]
    if (degrees === 0) return pose
    return withJointNoise(skeleton, pose, (degrees * Math.PI) / 180, streamOf('spreadNoise', i))
  })
}
