/** Sequences of other people's bodies, there and back; skipped where the folder is not there. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAnime } from '../../../src/files/anime.js'
import { boxDiagonal } from '../../../src/math/box.js'
import { meshBox } from '../../../src/mesh/triangle-mesh.js'
import { AcapFeatures } from '../../../src/model/acap/acap-features.js'
import { AcapInverse } from '../../../src/model/acap/acap-inverse.js'
import { carried, rmsDistance } from './shapes.js'

const folder = new URL('../../../../../../shared/data/', import.meta.url)

// Figures of all frames: scripts/acap-round-trip.mjs, docs/notes/acap.md.
test.skipIf(!existsSync(folder)).each([
  ['seq-female-run.anime', 1, 2e-3],
  ['seq-makehuman-cmu-90_05.anime', 5, 5e-4],
])('%s comes back, every frame that is tried', (name, every, limit) => {
  const { triangles, frames } = readAnime(new Uint8Array(readFileSync(new URL(name, folder))))
  const reference = { positions: frames[0], triangles }
  const acap = new AcapFeatures(reference)
  const inverse = new AcapInverse(reference)
  const [features, frame] = [new Float64Array(acap.size), new Float64Array(16)]
  const positions = new Float64Array(frames[0].length)
  for (let i = 0; i < frames.length; i += every) {
    acap.encode(frames[i], features, frame)
    inverse.positions(features, positions)
    const error = rmsDistance(carried(frame, positions), frames[i]) / boxDiagonal(meshBox(reference))
    expect(error, `frame ${i}`).toBeLessThan(limit)
  }
})
