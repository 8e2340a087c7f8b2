import { sampleClip } from 'pliant/character'
import { BoneGridsField } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { measureCharacter } from '../../src/evaluate/character.js'
import { fitGrids } from '../../src/evaluate/fitted-grids.js'
import { rigidRivals } from '../../src/evaluate/rigid-rivals.js'
import { fitBones } from '../../src/learn/frames/fit-bones.js'
import { drawClipPoses } from '../../src/poses/clip-poses.js'
import { tubeCharacter } from '../bones/tube-character.js'

const { character, train, unseen } = tubeCharacter({ rings: 16, around: 10 })
const { skeleton, height } = character
const bones = fitBones(character, { margin: 0.065 * height })
const bent = skeleton.createPose()
sampleClip(skeleton, unseen, 0.8, bent)

it('the stencil of a point is how its answer changes with the values of nodes (seed 3)', () => {
  const { boneGrids } = rigidRivals(character, bones)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  skeleton.matrices(bent, matrices)
  const [nodes, slopes] = [new Int32Array(8 * boneGrids.nearest), new Float64Array(8 * boneGrids.nearest)]
  const point = Float64Array.of(0.31, 1.1, 0.12)
  for (const softness of [0, 0.02 * height]) {
    const values = boneGrids.values.slice()
    const field = new BoneGridsField(bones, boneGrids.resolution, values, { softness })
    field.update({ matrices })
    const [before, after] = [new Float64Array(1), new Float64Array(1)]
    field.query(point, 1, before)
    expect(field.stencil(point[0], point[1], point[2], nodes, slopes)).toBe(before[0])
    const size = 1e-3
    for (const n of [0, 3, 7, 8, 13]) {
      const value = values[nodes[n]]
      values[nodes[n]] = value + size
      const moved = values[nodes[n]] - value
      field.query(point, 1, after)
      values[nodes[n]] = value
      expect((after[0] - before[0]) / moved).toBeCloseTo(slopes[n], 2)
    }
    expect(slopes.reduce((sum, slope) => sum + slope, 0)).toBeCloseTo(1, 6)
  }
})

/** A rival that is fitted badly would flatter whatever is put beside it. */
it('grids fitted to poses of training are nearer on a clip that they never saw', async () => {
  const poses = drawClipPoses(character, train, { count: 30, seed: 1 }).map(({ pose }) => pose)
  const fitted = await fitGrids(character, bones, poses, { points: 600 })
  const { boneGrids, softBoneGrids } = rigidRivals(character, bones)
  const judges = [0.3, 0.5, 0.7, 0.9].map((time) => {
    const pose = skeleton.createPose()
    sampleClip(skeleton, unseen, time, pose)
    return pose
  })
  const fields = { fitted, boneGrids, softBoneGrids }
  const found = await measureCharacter(fields, character, judges, { points: 1000, seed: 7 })
  const { mean } = found.fitted.bandError
  expect(mean).toBeLessThan(0.85 * Math.min(found.boneGrids.bandError.mean, found.softBoneGrids.bandError.mean))
  expect(found.fitted.signAccuracy).toBeGreaterThan(0.98)
})
