/** A chain of joints at random, and random poses of it. */
import { normaliseQuaternion } from '../../../src/math/quaternion.js'
import { randomStream } from '../../../src/math/random.js'
import { Skeleton, type SkeletonPose } from '../../../src/model/skeleton.js'

export function randomSkeleton(joints: number, seed: number): Skeleton {
  return new Skeleton({
    names: Array.from({ length: joints }, (_, j) => `joint ${j}`),
    parents: Int32Array.from({ length: joints }, (_, j) => j - 1),
    root: 0,
    rest: randomPose(joints, seed),
  })
}

/** Joints where they are at rest, turned at random. */
export function randomSkeletonPose(skeleton: Skeleton, seed: number): SkeletonPose {
  return { ...skeleton.createPose(), rotations: randomPose(skeleton.jointCount, seed).rotations }
}

function randomPose(joints: number, seed: number): SkeletonPose {
  const random = randomStream(seed, 5)
  const rotations = Float64Array.from({ length: 4 * joints }, () => random.normal())
  for (let joint = 0; joint < joints; joint++) normaliseQuaternion(rotations, 4 * joint)
  return {
    translations: Float64Array.from({ length: 3 * joints }, () => random.between(-0.3, 0.3)),
    rotations,
    scales: new Float64Array(3 * joints).fill(1),
  }
}
