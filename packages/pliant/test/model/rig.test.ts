/** Clips and skinning of whole characters against three.js's AnimationMixer and SkinnedMesh. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { uniformScale } from '../../src/math/mat4.js'
import { edgeTable, isClosed } from '../../src/mesh/adjacency.js'
import { sampleClip } from '../../src/model/clip.js'
import { type Rig, rigFromScene } from '../../src/model/rig.js'
import { createCharacter } from '../../src/model/skinned-character.js'
import { sampleCharacter } from './rig-sample.js'
import { loadWithThree, poseThree, skinnedVertices } from './three-reference.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)
const TIMES = [0, 0.13, 0.5, 0.77, 1, 1.4, 1.999]

/** World vertices of a pose by our own path: shape in the root frame, carried into the world. */
function worldVertices(rig: Rig, clip: number, time: number): Float64Array {
  const character = createCharacter(rig)
  const pose = rig.skeleton.createPose()
  const morphWeights = rig.surface.morphWeights.slice()
  sampleClip(rig.skeleton, rig.clips[clip], time, pose, morphWeights)
  const positions = new Float64Array(rig.surface.bound.length)
  character.positionsOfPose(pose, positions, morphWeights)
  const frame = new Float64Array(16)
  rig.skeleton.rootFrame(pose, frame)
  return carry(frame, positions)
}

function carry(m: Float64Array, positions: Float64Array): Float64Array {
  return positions.map((_, i) => {
    const [row, v] = [i % 3, i - (i % 3)]
    return m[row] * positions[v] + m[4 + row] * positions[v + 1] + m[8 + row] * positions[v + 2] + m[12 + row]
  })
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length)
  return Array.from(a).reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0)
}

async function expectSameAsThree(bytes: Uint8Array, clipNumber: number, times: readonly number[]): Promise<void> {
  const rig = rigFromScene(readGltf(bytes), { weld: false })
  const three = await loadWithThree(bytes)
  for (const time of times) {
    poseThree(three, rig.clips[clipNumber].name, time)
    const difference = largestDifference(worldVertices(rig, clipNumber, time), skinnedVertices(three.scene))
    expect(difference / rig.height, `at ${time} s`).toBeLessThan(1e-5)
  }
}

describe('against three.js, to 1e-5 of the height', () => {
  it('follows all interpolations, morph targets, two skins and a moving node above the root', async () => {
    await expectSameAsThree(await sampleCharacter(), 0, TIMES)
  })

  it.each([
    ['no uniform', [2, 1, 0.5]],
    ['negative', [-1, 1, 1]],
  ] as const)('follows a node above the root with %s scale', async (_, scale) => {
    await expectSameAsThree(await sampleCharacter({ armatureScale: [...scale] }), 0, TIMES)
  })

  test.skipIf(!existsSync(folder)).each([
    ['rig-fox.glb', [0, 1, 2]],
    ['rig-kaykit-knight.glb', [0, 20, 75]],
  ])('%s: clips %s', async (name, clips) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
    for (const clip of clips) await expectSameAsThree(bytes, clip, [0.21, 0.7])
  })
})

it('says which node of the scene each joint is; where several trees meet, the joint above them is none', async () => {
  const scene = readGltf(await sampleCharacter())
  const whole = rigFromScene(scene)
  expect([...whole.nodes].map((node) => scene.nodes[node].name)).toEqual(whole.skeleton.names)
  const leg = scene.nodes.findIndex(({ name }) => name === 'leg')
  const nodes = scene.nodes.with(leg, { ...scene.nodes[leg], parent: -1 })
  const split = rigFromScene({ ...scene, nodes })
  expect(split.skeleton.names[0]).toBe('scene')
  expect([...split.nodes].map((node) => scene.nodes[node]?.name ?? 'scene')).toEqual(split.skeleton.names)
  expect(split.nodes[0]).toBe(-1)
})

describe('root', () => {
  it('is the joint that carries the body, not the nodes above it', async () => {
    const { skeleton } = rigFromScene(readGltf(await sampleCharacter()))
    expect(skeleton.names[skeleton.root]).toBe('hips')
    expect(skeleton.names.slice(0, 2)).toEqual(['armature', 'hips'])
  })

  it('may be named, and must be there', async () => {
    const scene = readGltf(await sampleCharacter())
    const { skeleton } = rigFromScene(scene, { root: 'armature' })
    expect(skeleton.names[skeleton.root]).toBe('armature')
    expect(() => rigFromScene(scene, { root: 'pelvis' })).toThrow("no joint 'pelvis'")
  })

  it('takes its motion and that of nodes above out of the shape', async () => {
    const rig = rigFromScene(readGltf(await sampleCharacter()))
    const character = createCharacter(rig)
    const [still, moved] = [rig.skeleton.createPose(), rig.skeleton.createPose()]
    moved.translations.set([9, 8, 7], 0)
    moved.rotations.set([0.6, 0, 0, 0.8], 4 * rig.skeleton.root)
    moved.scales.set([3, 3, 3], 3 * rig.skeleton.root)
    const [a, b] = [new Float64Array(rig.surface.bound.length), new Float64Array(rig.surface.bound.length)]
    character.positionsOfPose(still, a)
    character.positionsOfPose(moved, b)
    expect(b).toEqual(a)
    const frame = new Float64Array(16)
    rig.skeleton.rootFrame(moved, frame)
    expect(uniformScale(frame).scale).toBeCloseTo(3, 9)
    expect(uniformScale(frame).spread).toBeLessThan(1e-9)
  })

  it('has at rest a frame with the axes and unit of the world, its origin in the root joint', async () => {
    const { skeleton } = rigFromScene(readGltf(await sampleCharacter()))
    const frame = new Float64Array(16)
    skeleton.rootFrame(skeleton.rest, frame)
    const expected = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 2, 1, 1]
    expect(largestDifference(frame, expected)).toBeLessThan(1e-6)
    expect([...skeleton.restMatrices.subarray(16 * skeleton.root + 12, 16 * skeleton.root + 15)]).toEqual([0, 0, 0])
  })

  it('reports a scale that distances cannot follow', async () => {
    const rig = rigFromScene(readGltf(await sampleCharacter()))
    const pose = rig.skeleton.createPose()
    pose.scales.set([2, 4, 2], 0)
    const frame = new Float64Array(16)
    rig.skeleton.rootFrame(pose, frame)
    expect(uniformScale(frame).spread).toBeGreaterThan(0.5)
  })

  test.skipIf(!existsSync(folder)).each([
    ['rig-makehuman-cmu31.glb', 'Hips'],
    ['rig-kaykit-knight.glb', 'hips'],
    ['rig-fox.glb', 'b_Hip_01'],
  ])('of %s is %s', (name, root) => {
    const { skeleton } = rigFromScene(readGltf(new Uint8Array(readFileSync(new URL(name, folder)))))
    expect(skeleton.names[skeleton.root]).toBe(root)
  })
})

describe('meshes', () => {
  it('without a skin are left out, or go with the joint they hang from if they are named', async () => {
    const scene = readGltf(await sampleCharacter())
    expect(rigFromScene(scene).leftOut).toEqual(['hat'])
    const rig = rigFromScene(scene, { meshes: ['body', 'hat'] })
    expect(rig.leftOut).toEqual(['cap'])
    const pose = rig.skeleton.createPose()
    pose.rotations.set([0, 0, 1, 0], 4 * rig.skeleton.jointNamed('head'))
    const positions = new Float64Array(rig.surface.bound.length)
    createCharacter(rig).positionsOfPose(pose, positions)
    const matrices = new Float64Array(16 * rig.skeleton.jointCount)
    rig.skeleton.matrices(pose, matrices)
    const hat = rig.surface.meshes.find(({ name }) => name === 'hat')!
    const joint = matrices.slice(16 * rig.skeleton.jointNamed('hat'))
    expect([...positions.subarray(3 * hat.vertexStart, 3 * hat.vertexStart + 3)]).toEqual([
      expect.closeTo(joint[12], 6),
      expect.closeTo(joint[13], 6),
      expect.closeTo(joint[14], 6),
    ])
  })

  it('with a vertex without weights: it goes with the first joint of the skin', async () => {
    const scene = readGltf(await sampleCharacter({ lastWeights: [0, 0, 0, 0] }))
    const rig = rigFromScene(scene, { meshes: ['body'], weld: false })
    const last = rig.surface.bound.length / 3 - 1
    const [start, end] = rig.surface.influenceStarts.slice(last)
    expect([...rig.surface.influenceWeights.slice(start, end)]).toEqual([1])
    const joint = rig.surface.bones.joints[rig.surface.influenceBones[start]]
    expect(rig.skeleton.names[joint]).toBe('foot')
  })

  it('must have a skin, and the names that are given', async () => {
    const scene = readGltf(await sampleCharacter({ skin: false }))
    expect(() => rigFromScene(scene)).toThrow('none of the 3 meshes has a skin')
    expect(() => rigFromScene({ ...scene, meshes: [] })).toThrow('none of the 0 meshes')
    const skinned = readGltf(await sampleCharacter())
    expect(() => rigFromScene(skinned, { meshes: ['torso'] })).toThrow("no mesh 'torso'; choose from body, cap, hat.")
  })

  it('split along seams become closed surfaces again', async () => {
    const scene = readGltf(await sampleCharacter())
    const body = scene.meshes.find(({ name }) => name === 'body')!
    const welded = rigFromScene(scene, { meshes: ['body'] }).surface
    // Every triangle with corners of its own, as files have them where normals or textures jump.
    const split = (values: ArrayLike<number>, size: number): number[] =>
      [...body.triangles].flatMap((v) => Array.from({ length: size }, (_, i) => values[size * v + i]))
    const torn = {
      ...body,
      positions: Float64Array.from(split(body.positions, 3)),
      triangles: body.triangles.map((_, i) => i),
      joints: Uint16Array.from(split(body.joints, body.influences)),
      weights: Float32Array.from(split(body.weights, body.influences)),
      morphTargets: body.morphTargets.map((target) => ({
        ...target,
        offsets: Float64Array.from(split(target.offsets, 3)),
      })),
    }
    const rig = rigFromScene({ ...scene, meshes: [torn] }, { meshes: ['body'] })
    expect(rig.surface.bound.length).toBe(welded.bound.length)
    expect(isClosed(edgeTable(rig.surface.triangles, rig.surface.bound.length / 3))).toBe(
      isClosed(edgeTable(welded.triangles, welded.bound.length / 3)),
    )
    const asGiven = rigFromScene({ ...scene, meshes: [torn] }, { meshes: ['body'], weld: false })
    expect(asGiven.surface.bound.length).toBe(3 * torn.triangles.length)
  })

  test.skipIf(!existsSync(folder))('split along seams become closed surfaces again: the fox', () => {
    const bytes = new Uint8Array(readFileSync(new URL('rig-fox.glb', folder)))
    const scene = readGltf(bytes)
    expect(rigFromScene(scene).surface.bound.length / 3).toBe(290)
    expect(rigFromScene(scene, { weld: false }).surface.bound.length / 3).toBe(1728)
  })
})
