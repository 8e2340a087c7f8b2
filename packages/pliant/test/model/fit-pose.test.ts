import { expect, it } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { multiplyQuaternions, quaternionOfVector, rotateVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { fitPose } from '../../src/model/fit-pose.js'
import { rigFromScene } from '../../src/model/rig.js'
import { createCharacter } from '../../src/model/skinned-character.js'
import { foldingTube } from '../artifact/folding-tube.js'
import { sampleCharacter } from './rig-sample.js'

const rig = rigFromScene(readGltf(await sampleCharacter()))
const character = createCharacter(rig)
const { skeleton, vertexCount, height } = character
const rest = new Float64Array(3 * vertexCount)
character.positionsOfPose(skeleton.rest, rest)

it('finds the pose of vertices that stand elsewhere, turned and in another unit (seed 3)', () => {
  const random = randomStream(3)
  const turn = new Float64Array(4)
  for (let round = 0; round < 3; round++) {
    const { translations, rotations, scales } = character.code.fixed
    const pose = { translations, rotations: rotations.slice(), scales }
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      if (skeleton.belowRoot[joint] === 0) continue
      quaternionOfVector([random.between(-0.3, 0.3), random.between(-0.3, 0.3), random.between(-0.3, 0.3)], 0, turn, 0)
      multiplyQuaternions(pose.rotations, 4 * joint, turn, 0, pose.rotations, 4 * joint)
    }
    const shape = new Float64Array(3 * vertexCount)
    character.positionsOfPose(pose, shape)
    quaternionOfVector([0, 1 + round, 0.3], 0, turn, 0)
    const moved = shape.slice()
    for (let at = 0; at < moved.length; at += 3) rotateVector(turn, 0, moved, at, moved, at)
    for (let i = 0; i < moved.length; i++) moved[i] = 10 * moved[i] + [3, 9, -2][i % 3]

    const found = skeleton.createPose()
    expect(fitPose(character, moved, found) / height).toBeLessThan(1e-3)
    // The vertices are few and hang from many joints, so that several poses explain them; all have the same shape.
    const again = new Float64Array(3 * vertexCount)
    character.positionsOfPose(found, again)
    const off = (other: Float64Array) => shape.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0)
    expect(off(again)).toBeLessThan(0.1 * off(rest))
  }
})

it('finds joints that hang from another than carries them, by their code and as a pose', () => {
  const flat = foldingTube('flat')
  const [shape, again] = [0, 1].map(() => new Float64Array(3 * flat.vertexCount))
  const asked = [0.3, -0.2, 0.25]
  flat.positions(asked, shape)
  const code = new Float64Array(3)
  flat.encode(shape, code)
  code.forEach((value, k) => {
    expect(value).toBeCloseTo(asked[k], 6)
  })
  const found = flat.skeleton.createPose()
  expect(fitPose(flat, shape, found)).toBeLessThan(1e-3)
  // Where the root stands is not seen, and neither is how far the tube is turned about itself at its ends.
  flat.positionsOfPose(found, again)
  expect(Math.max(...shape.map((value, i) => Math.abs(value - again[i])))).toBeLessThan(0.02)
})

it('refuses vertices of another mesh', () => {
  expect(() => fitPose(character, new Float64Array(9), skeleton.createPose())).toThrow(/3 vertices, the character has/)
})
