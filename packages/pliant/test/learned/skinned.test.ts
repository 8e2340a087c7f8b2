import { describe, expect, it } from 'vitest'
import type { Judged } from '../../src/learned/own-error.js'
import { SkinnedField } from '../../src/learned/skinned.js'
import { SurfaceProbes } from '../../src/learned/surface-probes.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import { JointCode } from '../../src/model/joint-code.js'
import { SkinnedCharacter } from '../../src/model/skinned-character.js'
import type { SkinningMethod } from '../../src/model/skinning.js'
import { createBoneNetwork } from '../../src/net/bones/bone-network.js'
import { randomSurface } from '../field/random-surface.js'
import { randomBonePoints, randomBoneShape, randomBoneTensors } from '../net/bones/random-bones.js'
import { randomSkeleton, randomSkeletonPose } from '../net/bones/random-skeleton.js'

/** A random network on a chain of joints, whose code is the second joint's rotation. */
async function makeField(judged?: Judged<SkinnedCharacter>) {
  const shape = randomBoneShape(6, { boneCount: 6 })
  const { skeleton, code } = makeSkeleton()
  return new SkinnedField(skeleton, code, await createBoneNetwork(shape, randomBoneTensors(shape, 6)), judged)
}

function makeSkeleton() {
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
  return { skeleton, code }
}

/** The same with a surface. */
async function makeCharacter(skinning: SkinningMethod) {
  const { skeleton, code } = makeSkeleton()
  const surface = randomSurface(skeleton.jointCount, 9)
  const character = new SkinnedCharacter({ skeleton, code, surface, height: 1, skinning })
  const field = await makeField({ shape: character, measured: { distances: 3, probes: 1 } })
  return { field, character }
}

function ask(field: SkinnedField): Float64Array {
  const out = new Float64Array(100)
  field.query(randomBonePoints(100, 6), 100, out)
  return out
}

describe('SkinnedField', () => {
  it('takes a code, a pose, and that pose with matrices of the caller alike', async () => {
    const field = await makeField()
    const rest = ask(field)
    field.update({ code: [0.2, -0.1, 0.3] })
    const posed = ask(field)
    expect(posed).not.toEqual(rest)
    const { skeleton } = field
    const pose = randomSkeletonPose(skeleton, 1)
    const matrices = new Float64Array(16 * skeleton.jointCount)
    skeleton.matrices(pose, matrices)
    field.update(skeleton.stateOf(pose))
    const moved = ask(field)
    expect(moved).not.toEqual(posed)
    field.update({ code: [0.2, -0.1, 0.3] })
    expect(ask(field)).toEqual(posed)
    field.update({ joints: pose, matrices })
    expect(ask(field)).toEqual(moved)
  })

  it('tells its error on the surface of the pose that it has, not of the one that the caller has by now', async () => {
    for (const skinning of ['linear', 'dual-quaternion'] as const) {
      const { field, character } = await makeCharacter(skinning)
      const { skeleton, vertexCount, triangles } = character
      const rest = new Float64Array(3 * vertexCount)
      character.positionsOfPose(skeleton.rest, rest)
      const errorOn = (positions: Float64Array): number => {
        const probes = new SurfaceProbes({ positions: rest, triangles })
        gatherVertices(positions, probes.corners, probes.places)
        return probes.meanError(field)
      }
      const positions = new Float64Array(3 * vertexCount)
      expect(field.probeError).toBeCloseTo(errorOn(rest), 8)
      const pose = randomSkeletonPose(skeleton, 1)
      const matrices = new Float64Array(16 * skeleton.jointCount)
      skeleton.matrices(pose, matrices)
      character.positionsOfPose(pose, positions)
      for (const given of [skeleton.stateOf(pose), { joints: pose, matrices }]) {
        field.update({ code: [0.2, -0.1, 0.3] })
        field.update(given)
        const moved = field.probeError
        expect(moved).toBeCloseTo(errorOn(positions), 8)
        field.update(given)
        given.matrices.fill(0)
        expect(field.probeError).toBe(moved)
      }
      field.update({ code: [0.2, -0.1, 0.3] })
      character.positions([0.2, -0.1, 0.3], positions)
      expect(field.probeError).toBeCloseTo(errorOn(positions), 8)
      expect(field.expectedError).toBeCloseTo(3 * field.probeError, 8)
    }
  })

  it('knows nothing of its error without a surface', async () => {
    const field = await makeField()
    expect(field.expectedError).toBeNaN()
    expect(field.trusted).toBe(false)
  })

  it('refuses codes of another length, or not of numbers', async () => {
    const field = await makeField()
    expect(() => field.update({ code: [0, 0] })).toThrow('code has 2 values, this character needs 3')
    expect(() => field.update({ code: [0, Number.NaN, 0] })).toThrow('code[1] is NaN')
  })
})
