// The built package: labelling workers are files of it.

import { measureCharacter } from '@pliant/train/unstable'
import { type BonesNetwork, decode, load, randomStream } from 'pliant'
import { sampleClip } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { BoneGridsField, encode } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'
import { trainRig } from './train-rig.js'
import { answersByPoseAndCode, character, refusal, rig, train, unseen, withManifestValue } from './tube-file.js'

const small = {
  name: 'tube',
  heldOut: [unseen],
  poses: 12,
  pointsPerPose: 200,
  steps: 10,
  resolution: 8,
  evaluation: { poses: 2, points: 100 },
}

describe("a character's file", () => {
  let bytes: Uint8Array
  beforeAll(async () => {
    bytes = (await trainRig(rig, small)).artifact
  })

  it('is the same bytes from the same seed, and others from another', async () => {
    expect((await trainRig(rig, small)).artifact).toEqual(bytes)
    expect((await trainRig(rig, { ...small, seed: 2 })).artifact).not.toEqual(bytes)
  })

  it('comes back as it was written, and is posed as the character it was made from', async () => {
    const read = await decode(bytes, 'character')
    expect(await encode(read)).toEqual(bytes)
    expect(read.manifest.model.clips.map(({ name }) => name)).toEqual(train.map(({ name }) => name))
    const code = read.manifest.code.upper
    const [before, after] = [character, read.character].map((one) => {
      const positions = new Float64Array(3 * one.vertexCount)
      one.positions(code, positions)
      return positions
    })
    for (let i = 0; i < before.length; i++) expect(after[i]).toBeCloseTo(before[i], 5)
  })

  it('answers by code as by the pose that the code stands for, and trusts itself on its clips', async () => {
    const field = await load(bytes, { kind: 'character' })
    const { byPose, byCode } = answersByPoseAndCode(field)
    expect(field.trusted).toBe(true)
    expect(field.expectedError).toBeGreaterThan(0)
    expect(Math.abs(byPose[0] - byCode[0])).toBeLessThan(1e-5)
    expect(Math.abs(byPose[1] - byCode[1])).toBeLessThan(1e-5)
    field.update({ code: new Float64Array(field.codeSize).fill(0.9) })
    expect(() => field.update({ code: [1] })).toThrow(`code has 1 values, this character needs ${field.codeSize}`)
  })

  it('is refused in one line when a byte is flipped or it is cut (seed 13)', async () => {
    const random = randomStream(13)
    for (let n = 0; n < 200; n++) {
      const changed = bytes.slice()
      changed[random.below(bytes.length)] ^= 1 << random.below(8)
      expect(await refusal(changed)).toMatch(/^(safetensors|artifact|character): [^\n]*\.$/)
      expect(await refusal(bytes.subarray(0, random.below(bytes.length)))).not.toBe('')
    }
  })

  it('with numbers in its manifest that cannot be is refused, though its checksum is right', async () => {
    const changes: [path: string, value: unknown][] = [
      ['networks.distance.shape.bones.0.joint', 99],
      ['networks.distance.shape.bones.0.drivers', [99]],
      ['networks.distance.shape.bones', []],
      ['networks.distance.shape.nearest', 0],
      ['networks.distance.shape.bones.0.nodes', [1e9, 2, 2]],
      ['networks.distance.shape.bones.0.nodes', [4, 4, 1]],
      ['networks.distance.shape.hidden', 25],
      ['model.surface.vertices', 1e9],
      ['model.surface.vertices', character.vertexCount + 1],
      ['model.skeleton.root', -1],
      ['model.skeleton.names', ['root', 'middle']],
      ['code.size', 1],
      ['format', 99],
      ['truncation', null],
    ]
    for (const [path, value] of changes) {
      expect(await refusal(withManifestValue(bytes, path, value)), `${path} = ${JSON.stringify(value)}`).not.toBe('')
    }
  })
})

it('learns, in half a minute, more of a clip never seen than rigid grids know', async () => {
  const { artifact: bytes } = await trainRig(rig, {
    ...small,
    resolution: 16,
    poses: 80,
    pointsPerPose: 600,
    steps: 200,
  })
  const { manifest } = await decode(bytes, 'character')
  const learned = await load(bytes, { kind: 'character' })
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, rest)
  const restField = new ExactMeshField({ positions: rest, triangles: character.triangles })
  const { bones } = (manifest.networks.distance as BonesNetwork).shape
  const rigid = BoneGridsField.sample(bones, restField, character.skeleton.restMatrices, { nearest: 3 })
  const poses = [0.3, 0.6, 0.9].map((time) => {
    const pose = character.skeleton.createPose()
    sampleClip(character.skeleton, unseen, time, pose)
    return pose
  })
  const judged = await measureCharacter({ learned, rigid }, character, poses, { points: 1000, seed: 4 })
  expect(judged.learned.bandError.mean).toBeLessThan(0.85 * judged.rigid.bandError.mean)
  expect(judged.learned.signAccuracy).toBeGreaterThan(0.99)
})
