import { expect, it } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { randomStream } from '../../src/math/random.js'
import { frameTimes, sampleClip } from '../../src/model/clip.js'
import { rigFromScene } from '../../src/model/rig.js'
import { createCharacter } from '../../src/model/skinned-character.js'
import { sampleCharacter } from './rig-sample.js'

const rig = rigFromScene(readGltf(await sampleCharacter()))
const character = createCharacter(rig)

it('takes the shape of a pose from its code, where the code holds all that moved', () => {
  // The leg's scale is not in the code; a rig without it is held exactly.
  const clip = { ...rig.clips[0], tracks: rig.clips[0].tracks.filter(({ path }) => path !== 'scale') }
  const exact = createCharacter(rig, [clip])
  const pose = rig.skeleton.createPose()
  const code = new Float64Array(exact.codeSize)
  const [a, b] = [new Float64Array(3 * exact.vertexCount), new Float64Array(3 * exact.vertexCount)]
  for (const time of frameTimes(clip, 5)) {
    sampleClip(rig.skeleton, clip, time, pose)
    exact.positionsOfPose(pose, a)
    exact.encodePose(pose, code)
    exact.positions(code, b)
    const worst = a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0)
    expect(worst).toBeLessThan(2e-3 * exact.height)
  }
})

it('encodes positions back to the code that made them (seed 8)', () => {
  const random = randomStream(8)
  const positions = new Float64Array(3 * character.vertexCount)
  const back = new Float64Array(character.codeSize)
  for (let round = 0; round < 5; round++) {
    const code = Float64Array.from(
      character.bounds.lower,
      (low, i) => random.between(low, character.bounds.upper[i]) / 2,
    )
    character.positions(code, positions)
    character.encode(positions, back)
    code.forEach((value, i) => {
      expect(back[i]).toBeCloseTo(value, 6)
    })
  }
})

it('gives joint matrices in the frame of the positions', () => {
  const code = character.bounds.upper.map((value) => value / 3)
  const matrices = new Float64Array(16 * rig.skeleton.jointCount)
  const positions = new Float64Array(3 * character.vertexCount)
  character.jointMatrices(code, matrices)
  character.positions(code, positions)
  // A vertex of the cap hangs from one bone alone.
  const { bones, influenceBones, influenceStarts, bound, meshes, morphTargets, morphWeights } = character.surface
  const vertex = meshes.find(({ name }) => name === 'cap')!.vertexStart
  expect(morphTargets.every(({ vertices }) => !vertices.includes(vertex)) && morphWeights.length).toBe(2)
  const bone = influenceBones[influenceStarts[vertex]]
  const inBone = [0, 1, 2].map(
    (row) =>
      [0, 1, 2].reduce((sum, k) => sum + bones.inverseBind[16 * bone + 4 * k + row] * bound[3 * vertex + k], 0) +
      bones.inverseBind[16 * bone + 12 + row],
  )
  const joint = 16 * bones.joints[bone]
  for (let row = 0; row < 3; row++) {
    const expected = [0, 1, 2].reduce(
      (sum, k) => sum + matrices[joint + 4 * k + row] * inBone[k],
      matrices[joint + 12 + row],
    )
    expect(positions[3 * vertex + row]).toBeCloseTo(expected, 10)
  }
})

it('stands upright: its height is the vertical extent of the rest pose in the world', () => {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(rig.skeleton.rest, positions)
  const heights = Array.from({ length: character.vertexCount }, (_, i) => positions[3 * i + 1])
  expect(character.height).toBeCloseTo(Math.max(...heights) - Math.min(...heights), 12)
})

it('refuses a code of another length', () => {
  expect(() => character.positions([1, 2], new Float64Array(3 * character.vertexCount))).toThrow(
    'Array of 2 for 9 code values',
  )
})
