import { existsSync, readFileSync } from 'node:fs'
import { rigFromScene, sampleClip } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { readGltf } from 'pliant/files'
import { BoneCapsulesField, BoneGridsField, createCharacter, readBvhMotion, retargetMotion } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { measureCharacter } from '../../src/evaluate/character.js'
import { rigidRivals } from '../../src/evaluate/rigid-rivals.js'
import { fitBones } from '../../src/learn/frames/fit-bones.js'
import { tubeCharacter } from './tube-character.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)
const rigFile = new URL('rig-makehuman-cmu31.glb', folder)
const motionFile = new URL('bvh/60_01.bvh', folder)

it('rigid grids and fitted capsules on a bent tube are rivals in earnest (seed 7)', async () => {
  const { character, unseen } = tubeCharacter({ rings: 16, around: 12 })
  const { skeleton, height } = character
  const bones = fitBones(character, { margin: 0.065 * height })
  const { boneGrids, softBoneGrids, capsules } = rigidRivals(character, bones)
  const loose = new BoneCapsulesField(bones)
  const poses = [0.2, 0.5, 0.8].map((time) => {
    const pose = skeleton.createPose()
    sampleClip(skeleton, unseen, time, pose)
    return pose
  })
  const fields = { boneGrids, softBoneGrids, capsules, loose }
  const found = await measureCharacter(fields, character, poses, { points: 1000, seed: 7 })
  const percent = (name: keyof typeof fields) => (100 * found[name].bandError.mean) / height
  // Measured .067, .067, .22 and .50; grids that do not follow their bones have 5.3.
  expect(percent('boneGrids')).toBeLessThan(0.1)
  expect(percent('softBoneGrids')).toBeLessThan(0.1)
  expect(percent('capsules')).toBeLessThan(0.3)
  expect(percent('capsules')).toBeLessThan(percent('loose'))
  expect(found.boneGrids.signAccuracy).toBeGreaterThan(0.985)
})

/** A rival as weak as a grid of the whole body on each bone (.47% and 95%) would flatter whatever is put beside it. */
it.skipIf(!existsSync(rigFile) || !existsSync(motionFile))(
  'rigid grids and fitted capsules on a human are rivals in earnest (seed 7)',
  async () => {
    const rig = rigFromScene(readGltf(readFileSync(rigFile)))
    const motion = readBvhMotion(readFileSync(motionFile))
    const { clip } = retargetMotion(rig.skeleton, motion, { name: '60_01', firstFrame: 1, aliases: {} })
    const character = createCharacter(rig, [clip])
    const { skeleton, height, triangles } = character
    const positions = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(skeleton.rest, positions)
    const exact = new ExactMeshField({ positions, triangles })
    const bones = fitBones(character, { margin: 0.065 * height })
    const grids = BoneGridsField.sample(bones, exact, skeleton.restMatrices, { resolution: 24 })
    const soft = new BoneGridsField(bones, 24, grids.values, { softness: 0.002 * height })
    const capsules = BoneCapsulesField.fit(bones, exact, skeleton.restMatrices)
    const loose = new BoneCapsulesField(bones)
    const poses = Array.from({ length: 8 }, (_, i) => {
      const pose = skeleton.createPose()
      sampleClip(skeleton, clip, (clip.duration * (i + 0.5)) / 8, pose)
      return pose
    })
    const fields = { hard: grids, soft, capsules, loose }
    const found = await measureCharacter(fields, character, poses, { points: 1500, seed: 7 })
    const percent = (name: keyof typeof fields) => (100 * found[name].bandError.mean) / height
    // Measured .17, .17, .42 and 1.07; docs/notes/prototypes.md has .147 for its own parts.
    expect(percent('hard')).toBeLessThan(0.2)
    expect(percent('soft')).toBeLessThan(0.2)
    expect(percent('capsules')).toBeLessThan(0.5)
    expect(percent('capsules')).toBeLessThan(percent('loose') / 2)
    expect(found.hard.signAccuracy).toBeGreaterThan(0.99)
  },
)
