import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CharacterFields, characterFields, exactCharacter } from '../../../src/blocks/dress/character-fields.js'
import { type CharacterArtifact, rigFromScene, type SkeletonPose, sampleClip } from '../../../src/character.js'
import { readGltf } from '../../../src/files/index.js'
import { decode, type SignedField } from '../../../src/index.js'

const artifacts = new URL('../../../../../apps/studio/public/artifacts/', import.meta.url)
const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, artifacts)))

describe('fields of a trained character', () => {
  let artifact: CharacterArtifact
  let fields: CharacterFields
  let pose: SkeletonPose
  /** Every fifth vertex of the pose, 1 cm outside of itself along x. */
  let points: Float64Array

  beforeAll(async () => {
    artifact = await decode(bytes('humanoid.safetensors'), 'character')
    fields = await characterFields(artifact)
    const { character } = artifact
    const dance = rigFromScene(readGltf(bytes('humanoid.glb'))).clips.find(({ name }) => name === 'dance')!
    pose = character.skeleton.createPose()
    sampleClip(character.skeleton, dance, 2, pose)
    const positions = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(pose, positions)
    points = positions.filter((_, i) => Math.trunc(i / 3) % 5 === 0).map((value, i) => value + (i % 3 === 0 ? 0.01 : 0))
    const state = character.skeleton.stateOf(pose)
    for (const field of [fields.learned, fields.exact, fields.guarded]) field.update(state)
  })
  afterAll(() => fields.dispose())

  const asked = (field: SignedField): Float64Array => {
    const distances = new Float64Array(points.length / 3)
    field.query(points, distances.length, distances)
    return distances
  }
  const apart = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, value, i) => sum + Math.abs(value - b[i]) / a.length, 0)

  it('follow the joints: what the triangles say the network says nearly', () => {
    const exact = asked(fields.exact)
    for (const distance of exact) expect(Math.abs(distance)).toBeLessThan(0.0101)
    const difference = apart(asked(fields.learned), exact)
    expect(difference).toBeGreaterThan(0)
    expect(difference).toBeLessThan(0.003)
  })

  it('guarded are the network where that trusts itself', () => {
    expect(fields.learned.trusted).toBe(true)
    expect(asked(fields.guarded)).toEqual(asked(fields.learned))
  })

  it('and the triangles where it does not', () => {
    const { skeleton } = artifact.character
    const folded = skeleton.createPose()
    // Every joint by two radians: no body was ever trained in that.
    for (let i = 0; i < folded.rotations.length; i += 4) folded.rotations.set([Math.sin(1), 0, 0, Math.cos(1)], i)
    const state = skeleton.stateOf(folded)
    for (const field of [fields.learned, fields.guarded]) field.update(state)
    expect(fields.learned.trusted).toBe(false)
    const truth = exactCharacter(artifact.character)
    truth.update(state)
    expect(asked(fields.guarded)).toEqual(asked(truth))
    expect(asked(fields.guarded)).not.toEqual(asked(fields.learned))
  })

  it('exact is at rest until its first update', () => {
    const { character } = artifact
    const rest = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(character.skeleton.rest, rest)
    const distances = new Float64Array(character.vertexCount)
    exactCharacter(character).query(rest, distances.length, distances)
    for (const distance of distances) expect(Math.abs(distance)).toBeLessThan(1e-6)
  })
})
