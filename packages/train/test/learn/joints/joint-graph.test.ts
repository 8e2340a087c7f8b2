import { randomStream } from 'pliant'
import type { SkinnedCharacter } from 'pliant/character'
import { createCharacter, normaliseQuaternion } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { compileFunction, constant, grad, input, mul, sum } from '../../../src/graph/index.js'
import { jointChain } from '../../../src/learn/joints/joint-chain.js'
import { jointGraph } from '../../../src/learn/joints/joint-graph.js'
import { findCharacterPreset } from '../../../src/presets/index.js'

const rig = await findCharacterPreset('humanoid')!.make()

/** The trunk carried by a foot, an arm by the other hand, about axes of any directions: joints before what carries them. */
function carriedOtherwise(): { carriers: Int32Array; bases: Float64Array } {
  const { skeleton } = rig
  const random = randomStream(4)
  const carriers = skeleton.parents.slice()
  carriers[skeleton.jointNamed('Spine')] = skeleton.jointNamed('LeftToes')
  carriers[skeleton.jointNamed('LeftUpperArm')] = skeleton.jointNamed('RightHand')
  const bases = Float64Array.from({ length: 4 * skeleton.jointCount }, () => random.normal())
  for (let joint = 0; joint < skeleton.jointCount; joint++) normaliseQuaternion(bases, 4 * joint)
  return { carriers, bases }
}

/** Spaces of the chain's joints, as the graph lays them out. */
function matricesAt({ code: of, skeleton }: SkinnedCharacter, joints: Int32Array, code: Float64Array): number[] {
  const all = new Float64Array(16 * skeleton.jointCount)
  const pose = of.carried.createPose()
  of.decodeCarried(code, pose)
  of.carried.spaces(pose, all)
  return [...joints].flatMap((joint) =>
    Array.from({ length: 12 }, (_, i) => all[16 * joint + 4 * (i % 4) + Math.trunc(i / 4)]),
  )
}

describe.each([
  ['parents', createCharacter(rig)],
  ['carriers', createCharacter(rig, rig.clips, carriedOtherwise())],
])('joints as a graph, measured from %s', (_, character) => {
  const chain = jointChain(character.code, character.surface.bones.joints)
  const random = randomStream(3)
  const { lower, upper } = character.bounds
  const codes = Float32Array.from({ length: 5 * chain.codeSize }, (_, i) =>
    i < chain.codeSize ? 0 : random.between(lower[i % chain.codeSize], upper[i % chain.codeSize]),
  )

  it('are where the character has them, at rest as well', async () => {
    const asked = input('codes', ['n', chain.codeSize])
    const run = await compileFunction({ inputs: [asked], outputs: { matrices: jointGraph(chain, asked, 'n') } }, {})
    const { matrices } = await run.run({ codes })
    for (let row = 0; row < 5; row++) {
      const code = Float64Array.from(codes.subarray(row * chain.codeSize, (row + 1) * chain.codeSize))
      const expected = matricesAt(character, chain.joints, code)
      const found = matrices.subarray(row * expected.length, (row + 1) * expected.length)
      expect(Math.max(...expected.map((value, i) => Math.abs(value - found[i])))).toBeLessThan(2e-6)
    }
    await run.dispose()
  })

  it('have slopes by the code that differences confirm, at rest as well', async () => {
    const asked = input('codes', ['n', chain.codeSize])
    const weights = Float32Array.from({ length: 12 * chain.count }, () => random.between(-1, 1))
    const value = sum(mul(jointGraph(chain, asked, 'n'), constant(weights, [12 * chain.count])))
    const run = await compileFunction({ inputs: [asked], outputs: { slopes: grad(value, [asked])[0] } }, {})
    const { slopes } = await run.run({ codes })
    const valueAt = (code: Float64Array): number =>
      matricesAt(character, chain.joints, code).reduce((total, entry, i) => total + weights[i] * entry, 0)
    for (let i = 0; i < codes.length; i++) {
      const [row, entry] = [Math.trunc(i / chain.codeSize), i % chain.codeSize]
      const [before, after] = [-1e-6, 1e-6].map((step) => {
        const code = Float64Array.from(codes.subarray(row * chain.codeSize, (row + 1) * chain.codeSize))
        code[entry] += step
        return valueAt(code)
      })
      expect(Math.abs(slopes[i] - (after - before) / 2e-6)).toBeLessThan(1e-3)
    }
    await run.dispose()
  })
})
