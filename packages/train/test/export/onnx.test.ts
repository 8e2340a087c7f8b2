// The built package: labelling workers are files of it.

import { exportArtifactOnnx } from '@pliant/train'
import { decode, load, randomStream } from 'pliant'
import { createOrtNetwork } from 'pliant/ort'
import { encode } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'
import { trainRig } from '../bones/train-rig.js'
import { tubeCharacter } from '../bones/tube-character.js'

const { character, train } = tubeCharacter()
const { skeleton, surface, height } = character
const rig = { skeleton, surface, clips: train, height }
const small = { name: 'tube', poses: 4, pointsPerPose: 100, steps: 2, evaluation: { poses: 1, points: 20 } }

describe("a character's ONNX file", () => {
  for (const { method, nearest, count } of [
    { method: 'pliant', nearest: 1, count: 5000 },
    { method: 'pliant', nearest: 2, count: 20_000 },
    { method: 'pliant', nearest: 3, count: 5000 },
    { method: 'paper', nearest: 0, count: 1000 },
  ] as const) {
    describe(method === 'paper' ? "the paper's network" : `in bone frames, ${nearest} of 3 bones answer`, () => {
      let bytes: Uint8Array
      beforeAll(async () => {
        const network = nearest > 0 ? { network: { nearest } } : {}
        bytes = await shaken((await trainRig(rig, { ...small, ...network, method })).artifact)
      })

      it('answers as every backend does, near the body and far away (seed 6)', async () => {
        const { manifest } = await decode(bytes, 'character')
        const random = randomStream(6)
        const code = manifest.code.lower.map((low, i) => random.between(low, manifest.code.upper[i]))
        const points = Float32Array.from(
          { length: 3 * count },
          (_, i) => random.between(-2, 2) + (i % 3 === 1 ? 1.5 : 0),
        )
        const file = await createOrtNetwork(await exportArtifactOnnx(bytes))
        const theirs = { distances: new Float64Array(count), gradients: new Float64Array(3 * count) }
        await file.query(points, count, code, theirs.distances, theirs.gradients)
        await file.dispose()
        for (const backend of ['scalar', 'auto'] as const) {
          const field = await load(bytes, { backend })
          field.update({ code })
          const ours = { distances: new Float64Array(count), gradients: new Float64Array(3 * count) }
          field.query(points, count, ours.distances, ours.gradients)
          const apart = differences(ours.distances, theirs.distances)
          expect(apart[Math.floor(0.999 * count)], backend).toBeLessThan(1e-5)
          expect(apart[count - 1], backend).toBeLessThan(1e-3)
          // A gradient jumps at faces of grid cells and boxes; rounding may put single points on either side.
          const turned = differences(ours.gradients, theirs.gradients)
          expect(turned[Math.floor(0.995 * 3 * count)], backend).toBeLessThan(1e-3)
          field.dispose()
        }
      })
    })
  }
})

/** The file with a network that nobody trained: every tensor matters. */
async function shaken(bytes: Uint8Array): Promise<Uint8Array> {
  const artifact = await decode(bytes, 'character')
  let stream = 1
  for (const [name, tensor] of artifact.networks.distance) {
    const random = randomStream(9, stream++)
    const spread = name.startsWith('warp') ? 0.03 : name === 'grid' ? 0.1 : 0.2
    for (let i = 0; i < tensor.length; i++) tensor[i] += spread * random.normal()
  }
  return await encode(artifact)
}

/** Ascending. */
function differences(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => Math.abs(value - b[i])).sort()
}
