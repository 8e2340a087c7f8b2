import { skinnedMeshField } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { createCharacter } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { measureSeen } from '../../src/evaluate/seen-mesh.js'
import { tubeCharacter } from '../bones/tube-character.js'

const { character: closed, train } = tubeCharacter()
const { skeleton, triangles, surface, height } = closed

/** The tube as it would be seen: thinner by 0.03, and cut open at its tip. */
function seenTube() {
  const bound = surface.bound.map((value, i) => (i % 3 === 1 ? value : 0.9 * value))
  return createCharacter(
    { skeleton, surface: { ...surface, bound, triangles: triangles.slice(0, -3) }, clips: train, height },
    train,
  )
}

/** The closed surface's own field, as if it had been learned without error. */
function exactOf(character: typeof closed) {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, positions)
  return skinnedMeshField(character, new ExactMeshField({ positions, triangles: character.triangles }))
}

it('tells how far the mesh that is seen lies from what the field was trained on (seed 3)', async () => {
  const poses = [skeleton.rest]
  const options = { points: 400, seed: 3 }
  const same = await measureSeen(exactOf(closed), closed, closed, poses, options)
  expect(same.max).toBeLessThan(1e-6)
  const { mean, p95, max } = await measureSeen(exactOf(closed), closed, seenTube(), poses, options)
  expect(mean).toBeGreaterThan(0.02)
  expect(mean).toBeLessThan(0.03)
  expect(p95).toBeCloseTo(0.03, 2)
  expect(max).toBeLessThan(0.1)
})
