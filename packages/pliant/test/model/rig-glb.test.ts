/** A character without a file, written as one, must be the same character: joints, surface, clips. */
import { existsSync, readFileSync } from 'node:fs'
import { type Logger, WebIO } from '@gltf-transform/core'
import { describe, expect, it, test } from 'vitest'
import { decode } from '../../src/artifact/artifact.js'
import { readGltf } from '../../src/files/gltf.js'
import { multiplyAffine } from '../../src/math/mat4.js'
import { type Clip, sampleClip } from '../../src/model/clip.js'
import { clipOfPoses } from '../../src/model/clip-frames.js'
import { type Rig, rigFromScene } from '../../src/model/rig.js'
import { rigToGlb } from '../../src/model/rig-glb.js'
import { applyMorphTargets, skinMatrices } from '../../src/model/skinned-surface.js'
import { skinLinear } from '../../src/model/skinning.js'
import { sampleCharacter } from './rig-sample.js'
import { loadWithThree, poseThree, skinnedVertices } from './three-reference.js'
import {
  extent,
  fiveTimes,
  largestDifference,
  ownPlaces,
  smallClip,
  smallRig,
  transformPlayer,
} from './written-clips.js'

const artifacts = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)
const folder = new URL('../../../../../shared/data/', import.meta.url)

/** World positions of the surface, morph targets at rest. */
function ownVertices({ skeleton, surface }: Pick<Rig, 'skeleton' | 'surface'>, clip: Clip, time: number): Float64Array {
  const pose = skeleton.createPose()
  sampleClip(skeleton, clip, time, pose)
  const joints = new Float64Array(16 * skeleton.jointCount)
  const frame = new Float64Array(16)
  const bones = new Float64Array(16 * surface.bones.joints.length)
  const out = new Float64Array(surface.bound.length)
  skeleton.matrices(pose, joints)
  skeleton.rootFrame(pose, frame)
  for (let at = 0; at < joints.length; at += 16) multiplyAffine(frame, 0, joints, at, joints, at)
  skinMatrices(surface.bones, joints, bones)
  applyMorphTargets(surface, surface.morphWeights, out)
  skinLinear(surface, bones, out, out)
  return out
}

async function expectSame(rig: Pick<Rig, 'skeleton' | 'surface'>, clip: Clip): Promise<void> {
  const { skeleton } = rig
  const glb = rigToGlb(rig, [clip])
  const size = extent(skeleton)
  const again = rigFromScene(readGltf(glb), { weld: false })
  expect(again.clips.map(({ name }) => name)).toEqual([clip.name])
  const three = await loadWithThree(glb)
  const joints = Array.from({ length: skeleton.jointCount }, (_, joint) => joint)
  for (const time of fiveTimes(clip)) {
    const own = ownVertices(rig, clip, time)
    const places = ownPlaces(skeleton, clip, time)
    const read = ownPlaces(again.skeleton, again.clips[0], time)
    // Joint i is node i of the file.
    const same = joints.flatMap((joint) => {
      const at = again.nodes.indexOf(joint)
      return read.slice(3 * at, 3 * at + 3)
    })
    expect(largestDifference(same, places) / size).toBeLessThan(1e-5)
    expect(largestDifference(ownVertices(again, again.clips[0], time), own) / size, 'surface').toBeLessThan(1e-5)
    poseThree(three, clip.name, time)
    expect(largestDifference(skinnedVertices(three.scene), own) / size, 'three.js').toBeLessThan(1e-5)
  }
  const transform = await transformPlayer(glb, clip.name)
  transform.times.slice(0, 5).forEach((time, key) => {
    const own = ownPlaces(skeleton, clip, Math.min(time, clip.duration))
    expect(largestDifference(transform.places(key, joints), own) / size, 'glTF-Transform').toBeLessThan(1e-5)
  })
}

describe('is the same to us, three.js and glTF-Transform', () => {
  it.each([1, 0.01])('a rig with an armature of scale %d', async (armatureScale) => {
    const rig = smallRig({ armatureScale })
    await expectSame(rig, smallClip(rig.skeleton))
  })

  it('joints of one name or none, a clip of one frame', async () => {
    const rig = smallRig({ names: ['', 'a', 'a', '', 'a', 'a', 'a', 'a'] })
    await expectSame(rig, smallClip(rig.skeleton, { frames: 1 }))
  })

  it('meshes that were bound to one joint in different poses, morph targets, jumps and curves between keys', async () => {
    const { skeleton, surface, clips } = rigFromScene(readGltf(await sampleCharacter()), { weld: false })
    expect(new Set(surface.bones.joints).size).toBeLessThan(surface.bones.joints.length)
    // At frames, because between them curves are not straight.
    const frames = clips[0].duration * 60
    const poses = Array.from({ length: frames + 1 }, (_, frame) => {
      const pose = skeleton.createPose()
      sampleClip(skeleton, clips[0], frame / 60, pose)
      return pose
    })
    const baked = clipOfPoses(
      skeleton,
      'baked',
      poses.map((_, frame) => frame / 60),
      poses,
    )
    await expectSame({ skeleton, surface }, baked)
    // The armature is scaled evenly at first; unevenly it shears what hangs from it.
    const uneven = rigFromScene(readGltf(await sampleCharacter({ armatureScale: [1, 2, 0.5] })), { weld: false })
    await expectSame(uneven, { ...baked, name: 'uneven' })
  })

  it('a trained character, in a clip of the file that it was trained on', async () => {
    const bytes = (name: string) => readFileSync(new URL(name, artifacts))
    const { character } = await decode(bytes('humanoid.safetensors'), 'character')
    const { skeleton, clips } = rigFromScene(readGltf(bytes('humanoid.glb')))
    expect(character.skeleton.names).toEqual(skeleton.names)
    await expectSame(character, clips[0])
  })

  test.skipIf(!existsSync(folder)).each(['rig-fox.glb', 'rig-makehuman-cmu31.glb'])('%s', async (file) => {
    const rig = rigFromScene(readGltf(readFileSync(new URL(file, folder))))
    await expectSame(rig, smallClip(rig.skeleton))
  })
})

it('has all joints of the body in its skin, also those that carry nothing, and the names of its meshes', async () => {
  const { skeleton, surface } = smallRig()
  // The foot carries nothing any more.
  const without = { ...surface, influenceBones: surface.influenceBones.map((bone) => (bone === 6 ? 0 : bone)) }
  const bones = { joints: surface.bones.joints.slice(0, 6), inverseBind: surface.bones.inverseBind.slice(0, 16 * 6) }
  const scene = readGltf(rigToGlb({ skeleton, surface: { ...without, bones } }, []))
  expect(scene.skins[0].joints).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(rigFromScene(scene).skeleton.names).toEqual(skeleton.names)
  expect(scene.meshes.map(({ name }) => name)).toEqual(['Body'])
  const sample = rigFromScene(readGltf(await sampleCharacter()))
  const again = rigFromScene(readGltf(rigToGlb(sample, sample.clips)))
  expect(again.surface.meshes).toEqual(sample.surface.meshes)
})

it('keeps more than four influences', async () => {
  const { skeleton, surface } = smallRig()
  const vertices = surface.bound.length / 3
  const many = {
    ...surface,
    influenceStarts: Uint32Array.from({ length: vertices + 1 }, (_, v) => 6 * v),
    influenceBones: Uint16Array.from({ length: 6 * vertices }, (_, k) => k % 6),
    influenceWeights: Float32Array.from({ length: 6 * vertices }, (_, k) => [0.3, 0.2, 0.2, 0.1, 0.1, 0.1][k % 6]),
  }
  const clip = smallClip(skeleton)
  const again = rigFromScene(readGltf(rigToGlb({ skeleton, surface: many }, [clip])), { weld: false })
  const apart = largestDifference(
    ownVertices(again, again.clips[0], 0.5),
    ownVertices({ skeleton, surface: many }, clip, 0.5),
  )
  expect(apart).toBeLessThan(1e-5)
})

it('is taken by glTF-Transform without a complaint; clips that move nothing are left out', async () => {
  const rig = smallRig()
  const complaints: string[] = []
  const note = (message: string) => complaints.push(message)
  const silent = { debug: () => {}, info: () => {}, warn: note, error: note }
  // The last vertices are in no triangle.
  const surface = { ...rig.surface, triangles: rig.surface.triangles.slice(0, -3) }
  const glb = rigToGlb({ ...rig, surface }, [smallClip(rig.skeleton), { name: 'none', duration: 1, tracks: [] }])
  const document = await new WebIO().setLogger(silent as unknown as Logger).readBinary(glb)
  expect(complaints).toEqual([])
  expect(
    document
      .getRoot()
      .listAnimations()
      .map((animation) => animation.getName()),
  ).toEqual(['walk'])
  const normals = document.getRoot().listMeshes()[0].listPrimitives()[0].getAttribute('NORMAL')!
  for (let v = 0; v < normals.getCount(); v++) expect(Math.hypot(...normals.getElement(v, []))).toBeCloseTo(1, 5)
})

describe('a clip of poses', () => {
  it('has tracks for what leaves its rest, and gives the poses back', () => {
    const { skeleton } = smallRig()
    const clip = smallClip(skeleton)
    const times = [0, 0.1, 0.2].map((time) => Math.fround(time))
    const poses = times.map((time) => {
      const pose = skeleton.createPose()
      sampleClip(skeleton, clip, time, pose)
      return pose
    })
    const made = clipOfPoses(skeleton, 'made', times, poses)
    expect(made.tracks.map(({ target, path }) => [target, path])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((joint) => [joint, 'rotation']),
      [1, 'translation'],
    ])
    times.forEach((time) => {
      expect(largestDifference(ownPlaces(skeleton, made, time), ownPlaces(skeleton, clip, time))).toBeLessThan(1e-6)
    })
  })

  it('is refused with a pose that is not finite, or with none, or at times that do not rise', () => {
    const { skeleton } = smallRig()
    const pose = skeleton.createPose()
    pose.rotations[4 * 3 + 1] = Number.NaN
    expect(() => clipOfPoses(skeleton, 'made', [0, 1], [skeleton.createPose(), pose])).toThrow(
      "clip 'made', frame 1: rotation of joint 3 ('arm') is NaN;",
    )
    expect(() => clipOfPoses(skeleton, 'made', [], [])).toThrow("clip 'made': 0 poses for 0 times;")
    for (const time of [0, Number.NaN, Infinity]) {
      const poses = [skeleton.createPose(), skeleton.createPose()]
      expect(() => clipOfPoses(skeleton, 'made', [0, time], poses)).toThrow(
        `frame 1 is at ${time} s; give finite times`,
      )
    }
  })
})
