import { boxOfPoints, validateMesh } from 'pliant'
import { type Rig, rigFromScene, sampleClip } from 'pliant/character'
import { SelfIntersection } from 'pliant/exact'
import { readGltf } from 'pliant/files'
import { bodyParts, createCharacter, frameTimes, meshVolume, skinLinear, skinMatrices } from 'pliant/unstable'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  HUMANOID_HELD_OUT,
  type HumanoidScene,
  humanoidGlb,
  humanoidScene,
} from '../../../src/presets/humanoid/index.js'
import { CHARACTER_PRESETS, listPresets } from '../../../src/presets/index.js'

let scene: HumanoidScene
let rig: Rig
beforeAll(async () => {
  scene = await humanoidScene()
  rig = rigFromScene(scene)
})

/** Vertices in the world at a time of a clip. */
function verticesAt({ skeleton, surface }: Rig, clip: Rig['clips'][number], time: number): Float64Array {
  const pose = skeleton.createPose()
  const joints = new Float64Array(16 * skeleton.jointCount)
  const bones = new Float64Array(16 * surface.bones.joints.length)
  const positions = new Float64Array(surface.bound.length)
  sampleClip(skeleton, clip, time, pose)
  skeleton.worldMatrices(pose, joints)
  skinMatrices(surface.bones, joints, bones)
  skinLinear(surface, bones, surface.bound, positions)
  return positions
}

function apart(a: Float64Array, b: Float64Array): number {
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0)
}

describe('the body', () => {
  it('is one closed surface that faces outward and does not run into itself', () => {
    const mesh = { positions: rig.surface.bound, triangles: rig.surface.triangles }
    expect(validateMesh(mesh).filter((issue) => issue.severity !== 'information')).toEqual([])
    expect(meshVolume(mesh)).toBeGreaterThan(0.04)
    expect(new SelfIntersection(mesh).any()).toBe(false)
  })

  it('stands 1.75 m tall on the ground', () => {
    const { lower, upper } = boxOfPoints(rig.surface.bound)
    expect(lower[1]).toBeGreaterThan(0)
    expect(lower[1]).toBeLessThan(0.001)
    expect(rig.height).toBeCloseTo(1.75, 2)
    expect(upper[1]).toBeCloseTo(1.75, 2)
  })

  it('has normals that agree with its triangles', () => {
    const { positions, triangles, normals } = scene.meshes[0]
    const corner = (t: number, k: number, axis: number) => positions[3 * triangles[t + k] + axis]
    for (let t = 0; t < triangles.length; t += 3) {
      const [u, v] = [1, 2].map((k) => [0, 1, 2].map((axis) => corner(t, k, axis) - corner(t, 0, axis)))
      const face = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
      const area = Math.hypot(...face)
      const mean = [0, 1, 2].map((axis) =>
        [0, 1, 2].reduce((sum, k) => sum + normals[3 * triangles[t + k] + axis] / 3, 0),
      )
      expect((face[0] * mean[0] + face[1] * mean[1] + face[2] * mean[2]) / area).toBeGreaterThan(0.4)
    }
  })

  it('has weights in whole 255ths, at most four to a vertex', () => {
    const { influenceStarts: starts, influenceWeights } = rig.surface
    for (let vertex = 0; vertex + 1 < starts.length; vertex++) {
      const weights = influenceWeights.subarray(starts[vertex], starts[vertex + 1])
      expect(weights.length).toBeLessThanOrEqual(4)
      expect(weights.reduce((sum, weight) => sum + Math.round(255 * weight), 0)).toBe(255)
    }
  })

  it('has joints of which hands, feet and head are known by their names', () => {
    const parts = bodyParts(rig.skeleton.names, rig.skeleton.parents)
    const known = rig.skeleton.names.filter((_, joint) => parts[joint] !== undefined)
    expect(known).toEqual(['Head', 'LeftHand', 'RightHand', 'LeftFoot', 'LeftToes', 'RightFoot', 'RightToes'])
    expect(rig.skeleton.names[rig.skeleton.root]).toBe('Hips')
  })
})

describe('the clips', () => {
  it('are all there, those to judge by among them', () => {
    const names = rig.clips.map(({ name }) => name)
    expect(names).toEqual(['idle', 'walk', 'run', 'jumping jacks', 'squat', 'kick', 'reach', 'turn', 'dance'])
    for (const name of HUMANOID_HELD_OUT) expect(names).toContain(name)
  })

  it('come round to where they began', () => {
    for (const clip of rig.clips) {
      expect(apart(verticesAt(rig, clip, 0), verticesAt(rig, clip, clip.duration)), clip.name).toBeLessThan(1e-5)
    }
  })

  it('move no vertex by more than 30 cm between two frames: nothing snaps', () => {
    for (const clip of rig.clips) {
      const times = frameTimes(clip, 30)
      let before = verticesAt(rig, clip, 0)
      for (const time of times) {
        const now = verticesAt(rig, clip, time)
        expect(apart(before, now), `${clip.name} at ${time.toFixed(2)} s`).toBeLessThan(0.3)
        before = now
      }
    }
  })

  it('keep the feet on the ground: never 3 mm below it, and off it only in jumps', () => {
    for (const clip of rig.clips) {
      const jumps = ['run', 'jumping jacks'].includes(clip.name)
      for (const time of frameTimes(clip, 30)) {
        const lowest = boxOfPoints(verticesAt(rig, clip, time)).lower[1]
        expect(lowest, `${clip.name} at ${time.toFixed(2)} s`).toBeGreaterThan(-0.003)
        expect(lowest, `${clip.name} at ${time.toFixed(2)} s`).toBeLessThan(jumps ? 0.06 : 0.003)
      }
    }
  })
})

it('is the same from its own file, which has fewer than 700 kB', () => {
  const bytes = humanoidGlb(scene)
  expect(bytes.length).toBeLessThan(700_000)
  const read = rigFromScene(readGltf(bytes))
  expect(read.skeleton.names.slice(0, 21)).toEqual(rig.skeleton.names)
  expect(read.surface.triangles).toEqual(rig.surface.triangles)
  expect(read.surface.bound).toEqual(rig.surface.bound)
  for (const [i, clip] of rig.clips.entries()) {
    const time = 0.41 * clip.duration
    expect(apart(verticesAt(rig, clip, time), verticesAt(read, read.clips[i], time)), clip.name).toBeLessThan(1e-6)
  }
})

it('is listed with its triangles and the size of its code', () => {
  const [preset] = CHARACTER_PRESETS
  const listed = listPresets().find(({ name }) => name === preset.name)!
  const trained = rig.clips.filter(({ name }) => !preset.heldOut.includes(name))
  expect(listed.codeSize).toBe(createCharacter(rig, trained).codeSize)
  expect(listed.summary).toContain(`${(rig.surface.triangles.length / 3).toLocaleString('en')} triangles`)
})
