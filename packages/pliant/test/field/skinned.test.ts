import { describe, expect, it } from 'vitest'
import { SkinnedField } from '../../src/field/skinned.js'
import { JointCode } from '../../src/model/joint-code.js'
import { createBoneNetwork } from '../../src/net/bones/bone-network.js'
import { randomBonePoints, randomBoneShape, randomBoneTensors } from '../net/bones/random-bones.js'
import { randomSkeleton, randomSkeletonPose } from '../net/bones/random-skeleton.js'

/** A random network on a chain of joints, whose code is the second joint's rotation. */
async function makeField() {
  const shape = randomBoneShape(6, { boneCount: 6 })
  const skeleton = randomSkeleton(7, 6)
  const code = new JointCode(skeleton, {
    joints: Uint16Array.of(1, 1, 1),
    axes: Uint8Array.of(0, 1, 2),
    units: new Float64Array(3).fill(Math.PI),
    fixed: skeleton.createPose(),
    bounds: { lower: new Float64Array(3).fill(-0.5), upper: new Float64Array(3).fill(0.5) },
    dropped: [],
    largestAngle: 1,
  })
  return new SkinnedField(skeleton, code, await createBoneNetwork(shape, randomBoneTensors(shape, 6)))
}

function ask(field: SkinnedField): Float64Array {
  const out = new Float64Array(100)
  field.evaluate(randomBonePoints(100, 6), 100, out)
  return out
}

describe('SkinnedField', () => {
  it('is posed alike by a code, by its pose, and by that pose with its matrices', async () => {
    const field = await makeField()
    const rest = ask(field)
    field.pose([0.2, -0.1, 0.3])
    const posed = ask(field)
    expect(posed).not.toEqual(rest)
    const { skeleton } = field
    const pose = randomSkeletonPose(skeleton, 1)
    const matrices = new Float64Array(16 * skeleton.jointCount)
    skeleton.matrices(pose, matrices)
    field.poseSkeleton(pose)
    const moved = ask(field)
    expect(moved).not.toEqual(posed)
    field.pose([0.2, -0.1, 0.3])
    expect(ask(field)).toEqual(posed)
    field.poseSkeleton(pose, matrices)
    expect(ask(field)).toEqual(moved)
  })

  it('says of the pose that it has, not of the one that the caller has by now, whether it was trained', async () => {
    const field = await makeField()
    expect(field.inDistribution).toBe(true)
    field.pose([0, 0.6, 0])
    expect(field.inDistribution).toBe(false)
    const pose = field.skeleton.createPose()
    field.poseSkeleton(pose)
    // Half a turn about x from rest.
    const { rotations } = field.skeleton.rest
    pose.rotations.set([rotations[7], rotations[6], -rotations[5], -rotations[4]], 4)
    expect(field.inDistribution).toBe(true)
    field.poseSkeleton(pose)
    expect(field.inDistribution).toBe(false)
  })

  it('refuses codes of another length, or not of numbers', async () => {
    const field = await makeField()
    expect(() => field.pose([0, 0])).toThrow('code has 2 values, this character needs 3')
    expect(() => field.pose([0, Number.NaN, 0])).toThrow('code[1] is NaN')
  })
})
