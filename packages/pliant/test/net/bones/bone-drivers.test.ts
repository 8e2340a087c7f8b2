import { describe, expect, it } from 'vitest'
import { jointVector } from '../../../src/model/joint-code.js'
import { BoneDrivers } from '../../../src/net/bones/bone-drivers.js'
import { MAX_DRIVERS } from '../../../src/net/bones/bone-shape.js'
import { randomBoneShape } from './random-bones.js'
import { randomSkeleton, randomSkeletonPose } from './random-skeleton.js'

describe('BoneDrivers', () => {
  it('writes the rotation vectors over pi of each bone, and zeros after them (seed 4)', () => {
    const { bones } = randomBoneShape(4, { boneCount: 5 })
    const joints = [[1], [2, 1, 3], [], [6, 5, 4, 3, 2, 1, 0, 6], [3, 2]]
    for (const [b, bone] of bones.entries()) bone.drivers = joints[b]
    const skeleton = randomSkeleton(7, 4)
    const drivers = new BoneDrivers(skeleton, bones)
    const out = new Float32Array(3 + bones.length * 3 * MAX_DRIVERS).fill(9)
    const vector = new Float64Array(3)
    for (const seed of [1, 2]) {
      const pose = randomSkeletonPose(skeleton, seed)
      drivers.write(pose, out, 3)
      const expected = joints.flatMap((ofBone) =>
        Array.from({ length: MAX_DRIVERS }, (_, i) => {
          if (i >= ofBone.length) return [0, 0, 0]
          jointVector(skeleton, pose, ofBone[i], vector, 0)
          return [...vector].map((value) => value / Math.PI)
        }).flat(),
      )
      expect(out).toEqual(Float32Array.from([9, 9, 9, ...expected]))
    }
  })
})
