// The built package: labelling workers are files of it.

import { evaluateCharacter } from '@pliant/train'
import { decode, load, randomStream } from 'pliant'
import { encode, multiplicationsOf } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'
import { trainRig } from '../bones/train-rig.js'
import { answersByPoseAndCode, character, refusal, rig, unseen, withManifestValue } from '../bones/tube-file.js'

const small = {
  name: 'tube',
  method: 'paper' as const,
  heldOut: [unseen],
  poses: 10,
  pointsPerPose: 400,
  steps: 4,
  evaluation: { poses: 2, points: 200 },
}

describe("a character by the paper's method", () => {
  let bytes: Uint8Array
  beforeAll(async () => {
    bytes = (await trainRig(rig, small)).artifact
  })

  it('has the network of the paper, and says so', async () => {
    const { manifest } = await decode(bytes, 'character')
    const { model, networks, training, truncation } = manifest
    const network = networks.distance
    if (network.kind !== 'whole') throw new Error('not the network that was asked for')
    expect(training).toMatchObject({ method: 'paper', steps: 4, poses: 10, labels: 4000 })
    expect(model.clips.map(({ name }) => name)).toEqual(['x', 'z'])
    expect(network.shape).toMatchObject({
      hidden: Array(8).fill(128),
      activation: 'relu',
      output: 'tanh',
      code: character.codeSize,
    })
    expect(await multiplicationsOf(manifest)).toBe(115_200)
    const { centre, scale } = network.normalisation
    expect(truncation).toBeCloseTo(0.1 * scale, 12)
    // All training poses lie in [-1, 1]^3 with the truncation to spare.
    for (let axis = 0; axis < 3; axis++) {
      expect(network.domain.upper[axis] - centre[axis]).toBeLessThanOrEqual(scale * (1 + 1e-12))
    }
  })

  it('is the same bytes from the same seed, and comes back as it was written', async () => {
    expect((await trainRig(rig, small)).artifact).toEqual(bytes)
    expect(await encode(await decode(bytes, 'character'))).toEqual(bytes)
  })

  it('answers by code as by pose, and is judged beside rigid rivals', async () => {
    const field = await load(bytes, { kind: 'character' })
    const { byPose, byCode } = answersByPoseAndCode(field)
    expect(byPose).toEqual(byCode)
    const { quality, rivals } = await evaluateCharacter(await decode(bytes, 'character'), { points: 200, rivals: true })
    expect(quality).toEqual((await decode(bytes, 'character')).manifest.quality)
    expect(rivals?.boneGrids?.bandError.mean).toBeGreaterThan(0)
  })

  it('learns', async () => {
    const more = await trainRig(rig, { ...small, steps: 40 })
    const before = (await decode(bytes, 'character')).manifest.quality!
    expect(more.quality.bandError.mean).toBeLessThan(0.7 * before.bandError.mean)
  })

  it('is refused in one line when a byte is flipped, or numbers in its manifest cannot be (seed 14)', async () => {
    const random = randomStream(14)
    for (let n = 0; n < 100; n++) {
      const changed = bytes.slice()
      changed[random.below(bytes.length)] ^= 1 << random.below(8)
      expect(await refusal(changed)).toMatch(/^(safetensors|artifact|character): [^\n]*\.$/)
    }
    const changes: [path: string, value: unknown][] = [
      ['model.height', -1],
      ['networks.distance.kind', 'parts'],
      ['networks.distance.kind', 'none'],
      ['networks.distance.shape', null],
      ['networks.distance.shape.code', 1],
      ['networks.distance.shape.hidden', [128]],
      ['networks.distance.shape.activation', 'sine'],
      ['networks.distance.normalisation.scale', 0],
      ['networks.distance.normalisation.centre', [0, 0]],
      ['networks.distance.domain.upper', [-99, 0, 0]],
      ['truncation', null],
    ]
    for (const [path, value] of changes) {
      expect(await refusal(withManifestValue(bytes, path, value)), `${path} = ${JSON.stringify(value)}`).toMatch(
        /^artifact: [^\n]*\.$/,
      )
    }
  })
})
