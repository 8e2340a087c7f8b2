import { readFileSync } from 'node:fs'
import { type Logger, WebIO } from '@gltf-transform/core'
import { describe, expect, it } from 'vitest'
import { type GltfScene, readGltf } from '../../src/files/gltf.js'
import { writeGltf } from '../../src/files/gltf-write.js'
import { multiplyAffine } from '../../src/math/mat4.js'
import { sampleClip } from '../../src/model/clip.js'
import { rigFromScene } from '../../src/model/rig.js'
import { skinMatrices } from '../../src/model/skinned-surface.js'
import { skinLinear } from '../../src/model/skinning.js'
import { sampleCharacter } from '../model/rig-sample.js'
import { loadWithThree, poseThree, skinnedVertices } from '../model/three-reference.js'

const humanoid = readFileSync(new URL('../../../../apps/studio/public/artifacts/humanoid.glb', import.meta.url))

/** The part of a scene that can be written: skinned meshes without morph targets, and what moves joints. */
function writable(scene: GltfScene): GltfScene {
  return {
    ...scene,
    meshes: scene.meshes.filter(({ skin, morphTargets }) => skin >= 0 && morphTargets.length === 0),
    animations: scene.animations.map((animation) => ({
      ...animation,
      channels: animation.channels.filter(({ path }) => path !== 'weights'),
    })),
  }
}

const scenes: [string, () => Promise<GltfScene>][] = [
  ['a small character with every interpolation', async () => writable(readGltf(await sampleCharacter()))],
  ['the humanoid', async () => readGltf(humanoid)],
]

describe.each(scenes)('%s', (_, scene) => {
  it('is read back as it was', async () => {
    const { nodes: nodesBefore, ...before } = await scene()
    const { nodes, ...rest } = readGltf(writeGltf({ ...before, nodes: nodesBefore }))
    expect(rest).toEqual(before)
    for (const [i, { name, parent, worldMatrix }] of nodes.entries()) {
      expect([name, parent]).toEqual([nodesBefore[i].name, nodesBefore[i].parent])
      // Reading makes rotations unit quaternions again, which may round.
      worldMatrix.forEach((value, k) => {
        expect(value).toBeCloseTo(nodesBefore[i].worldMatrix[k], 12)
      })
    }
  })

  it('is skinned alike by three.js', async () => {
    const bytes = writeGltf(await scene())
    const rig = rigFromScene(readGltf(bytes), { weld: false })
    const pose = rig.skeleton.createPose()
    const joints = new Float64Array(16 * rig.skeleton.jointCount)
    const frame = new Float64Array(16)
    const bones = new Float64Array(16 * rig.surface.bones.joints.length)
    const own = new Float64Array(rig.surface.bound.length)
    for (const clip of rig.clips) {
      const time = 0.37 * clip.duration
      sampleClip(rig.skeleton, clip, time, pose)
      rig.skeleton.matrices(pose, joints)
      rig.skeleton.rootFrame(pose, frame)
      for (let at = 0; at < joints.length; at += 16) multiplyAffine(frame, 0, joints, at, joints, at)
      skinMatrices(rig.surface.bones, joints, bones)
      skinLinear(rig.surface, bones, rig.surface.bound, own)
      const three = await loadWithThree(bytes)
      poseThree(three, clip.name, time)
      const other = skinnedVertices(three.scene)
      const apart = own.reduce((largest, value, i) => Math.max(largest, Math.abs(value - other[i])), 0)
      expect(apart / rig.height, clip.name).toBeLessThan(1e-5)
    }
  })

  it('is taken by glTF-Transform without a complaint, with the same numbers', async () => {
    const before = await scene()
    const complaints: string[] = []
    const note = (message: string) => complaints.push(message)
    const silent = { debug: () => {}, info: () => {}, warn: note, error: note }
    const document = await new WebIO().setLogger(silent as unknown as Logger).readBinary(writeGltf(before))
    expect(complaints).toEqual([])
    const root = document.getRoot()
    expect(root.listNodes().map((node) => node.getName())).toEqual(before.nodes.map(({ name }) => name))
    expect(root.listAnimations().map((animation) => animation.listChannels().length)).toEqual(
      before.animations.map(({ channels }) => channels.length),
    )
    for (const [i, mesh] of root.listMeshes().entries()) {
      const [primitive] = mesh.listPrimitives()
      const given = before.meshes[i]
      expect([...primitive.getAttribute('POSITION')!.getArray()!]).toEqual([...given.positions])
      expect([...primitive.getIndices()!.getArray()!]).toEqual([...given.triangles])
      const weights = primitive.getAttribute('WEIGHTS_0')!
      const element: number[] = []
      for (let v = 0; v < weights.getCount(); v++) {
        weights.getElement(v, element)
        for (let k = 0; k < 4; k++) expect(element[k]).toBeCloseTo(given.weights[given.influences * v + k], 7)
      }
    }
  })
})

it('uses few bytes: narrow indices and joints, whole 255ths as bytes, key times once', async () => {
  const { json } = await new WebIO().binaryToJSON(humanoid)
  const { attributes, indices } = json.meshes![0].primitives[0]
  const type = (accessor: number) => json.accessors![accessor].componentType
  expect([indices!, attributes['JOINTS_0'], attributes['WEIGHTS_0']].map(type)).toEqual([5123, 5121, 5121])
  for (const { samplers } of json.animations!) expect(new Set(samplers.map(({ input }) => input)).size).toBe(1)
})

it('refuses what it would lose', async () => {
  const scene = readGltf(await sampleCharacter())
  expect(() => writeGltf(scene)).toThrow(/has morph targets, which are not written; leave them out\./)
  const still = { ...scene.meshes[0], skin: -1, influences: 0 }
  expect(() => writeGltf({ ...scene, meshes: [still] })).toThrow(/has no skin, only skinned ones are written/)
})
