/** A clip as BVH must put every joint where the skeleton has it, whatever axes the rig gave its joints. */
import { existsSync, readFileSync } from 'node:fs'
import { AnimationMixer, type Bone, Vector3 } from 'three'
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js'
import { describe, expect, it, test } from 'vitest'
import { readBvhMotion } from '../../src/files/bvh-motion.js'
import { readGltf } from '../../src/files/gltf.js'
import type { Clip } from '../../src/model/clip.js'
import { clipToBvh } from '../../src/model/clip-bvh.js'
import { PosedMotion } from '../../src/model/posed-motion.js'
import { retargetMotion } from '../../src/model/retarget.js'
import { type Rig, rigFromScene } from '../../src/model/rig.js'
import type { Skeleton } from '../../src/model/skeleton.js'
import { sampleCharacter } from './rig-sample.js'
import { extent, largestDifference, ownPlaces, smallClip, smallRig } from './written-clips.js'

const humanoid = readFileSync(new URL('../../../../apps/studio/public/artifacts/humanoid.glb', import.meta.url))
const folder = new URL('../../../../../shared/data/', import.meta.url)

/** The file's joints are the skeleton's from the root on down, in this order. */
function bodyOf({ root, belowRoot }: Skeleton): number[] {
  return [...belowRoot.keys()].filter((joint) => joint === root || belowRoot[joint] === 1)
}

function bodyPlaces(skeleton: Skeleton, clip: Clip, time: number): number[] {
  const all = ownPlaces(skeleton, clip, Math.min(time, clip.duration))
  return bodyOf(skeleton).flatMap((joint) => all.slice(3 * joint, 3 * joint + 3))
}

/** Largest distance of a joint in any frame, as a share of the body. */
function readBackError(skeleton: Skeleton, clip: Clip, bytes: Uint8Array, unit = 1): number {
  const motion = readBvhMotion(bytes)
  const posed = new PosedMotion(motion)
  let largest = 0
  for (let frame = 0; frame < motion.frameCount; frame++) {
    posed.pose(frame)
    const places = posed.places.map((value) => value * unit)
    largest = Math.max(largest, largestDifference(places, bodyPlaces(skeleton, clip, frame * motion.frameTime)))
  }
  return largest / extent(skeleton)
}

/** three.js's loader adds offsets to positions, so it is asked where no bone changes its length. */
function threeError(skeleton: Skeleton, clip: Clip, bytes: Uint8Array): number {
  const { skeleton: bones, clip: animation } = new BVHLoader().parse(new TextDecoder().decode(bytes))
  const named = bones.bones.filter(({ name }) => name !== 'ENDSITE')
  const [root] = bones.bones
  const mixer = new AnimationMixer(root)
  mixer.clipAction(animation).play()
  let largest = 0
  for (const share of [0, 0.2, 0.4, 0.6, 0.8]) {
    // At frames: between them joints turn at even speed, each about its own axis, and not as in the rig.
    const { times } = animation.tracks[0]
    const time = times[Math.round(share * (times.length - 1))]
    mixer.setTime(time)
    root.updateMatrixWorld(true)
    const places = named.flatMap((bone: Bone) => bone.getWorldPosition(new Vector3()).toArray())
    largest = Math.max(largest, largestDifference(places, bodyPlaces(skeleton, clip, time)))
  }
  return largest / extent(skeleton)
}

describe('joints are where the skeleton has them', () => {
  const rigs: [string, Parameters<typeof smallRig>[0]][] = [
    ['joints turned at random', {}],
    ['a rig in centimetres under an armature of 0.01', { armatureScale: 0.01 }],
    ['a mirrored armature', { armatureScale: -1 }],
    ['joints of one name', { names: ['armature', 'a b', 'a b', 'a b', 'a b_2', 'a b', 'a b', 'a b'] }],
    ['joints without names', { names: ['', '', '', '', '', '', '', ''] }],
  ]
  it.each(rigs)('%s', (_, options) => {
    const { skeleton } = smallRig(options)
    const clip = smallClip(skeleton)
    const bytes = clipToBvh(skeleton, clip)
    expect(readBackError(skeleton, clip, bytes)).toBeLessThan(1e-5)
    const { joints, frameCount, frameTime } = readBvhMotion(bytes)
    expect([joints.length, frameCount]).toEqual([7, 12])
    expect(frameTime).toBeCloseTo(0.1, 6)
    expect(new Set(joints.map(({ name }) => name)).size).toBe(7)
    expect(joints.every(({ name }) => /^[\w.-]+$/.test(name))).toBe(true)
  })

  it.each(rigs)('also for three.js: %s', (_, options) => {
    const { skeleton } = smallRig(options)
    const clip = smallClip(skeleton, { frames: 11 })
    expect(threeError(skeleton, clip, clipToBvh(skeleton, clip))).toBeLessThan(1e-5)
  })

  it('a clip of one frame, another unit, other frames', () => {
    const { skeleton } = smallRig()
    const one = smallClip(skeleton, { frames: 1 })
    expect(readBackError(skeleton, one, clipToBvh(skeleton, one))).toBeLessThan(1e-5)
    const clip = smallClip(skeleton)
    const bytes = clipToBvh(skeleton, clip, { unit: 0.01, framesPerSecond: 50 })
    expect(readBvhMotion(bytes).frameCount).toBe(56)
    expect(readBackError(skeleton, clip, bytes, 0.01)).toBeLessThan(1e-5)
  })

  it('bones that change their length, joints that are scaled, an armature that moves', async () => {
    for (const armatureScale of [undefined, [0.01, 0.01, 0.01], [1, 2, 0.5]] as const) {
      const options = armatureScale ? { armatureScale: [...armatureScale] as [number, number, number] } : {}
      const { skeleton, clips } = rigFromScene(readGltf(await sampleCharacter(options)))
      const bytes = clipToBvh(skeleton, clips[0])
      expect(new TextDecoder().decode(bytes).match(/CHANNELS 6/g)!.length).toBeGreaterThan(1)
      // A body of 2 cm that is 5 m from the origin, in single precision.
      expect(readBackError(skeleton, clips[0], bytes)).toBeLessThan(1e-4)
    }
  })

  it('a joint that is scaled away for a while, which then has no axes', () => {
    const { skeleton } = smallRig()
    const clip = smallClip(skeleton)
    const { times } = clip.tracks[0]
    const values = Float32Array.from({ length: 3 * times.length }, (_, i) => (i > 9 && i < 20 ? 0 : 1))
    clip.tracks.push({ target: 6, path: 'scale', interpolation: 'LINEAR', times, values, size: 3 })
    expect(readBackError(skeleton, clip, clipToBvh(skeleton, clip))).toBeLessThan(1e-5)
  })

  test.skipIf(!existsSync(folder)).each(['rig-fox.glb', 'rig-makehuman-cmu31.glb'])('%s', (file) => {
    const { skeleton, clips }: Rig = rigFromScene(readGltf(readFileSync(new URL(file, folder))))
    for (const clip of [...clips, smallClip(skeleton)]) {
      expect(readBackError(skeleton, clip, clipToBvh(skeleton, clip)), clip.name).toBeLessThan(1e-4)
    }
  })
})

describe('the humanoid', () => {
  const { skeleton, clips } = rigFromScene(readGltf(humanoid))
  it('stands where its clips put it, for us and for three.js', () => {
    for (const clip of clips) {
      const bytes = clipToBvh(skeleton, clip)
      expect(readBackError(skeleton, clip, bytes), clip.name).toBeLessThan(1e-5)
      expect(threeError(skeleton, clip, bytes), clip.name).toBeLessThan(1e-5)
    }
  })

  it("moves as before when its motion is read as anybody else's and carried over to it", () => {
    for (const clip of clips) {
      const motion = readBvhMotion(clipToBvh(skeleton, clip))
      const again = retargetMotion(skeleton, motion, { reference: 'none' })
      expect(again.missing).toEqual([])
      for (let frame = 0; frame < motion.frameCount; frame += 10) {
        const time = Math.min(clip.duration, again.clip.duration, frame * motion.frameTime)
        const apart = largestDifference(bodyPlaces(skeleton, again.clip, time), bodyPlaces(skeleton, clip, time))
        expect(apart / extent(skeleton), clip.name).toBeLessThan(1e-4)
      }
    }
  })
})

it('a motion that was carried over, written and carried over again is the same', () => {
  const names = ['armature', 'hips', 'spine', 'arm', 'hand', 'head', 'leg', 'foot']
  const { skeleton } = smallRig({ names })
  const clip = smallClip(skeleton)
  const motion = readBvhMotion(clipToBvh(skeleton, clip))
  const again = retargetMotion(skeleton, motion, { reference: 'none' })
  expect(again.missing).toEqual([])
  for (let frame = 0; frame < motion.frameCount; frame++) {
    const time = Math.min(again.clip.duration, frame * motion.frameTime)
    const apart = largestDifference(bodyPlaces(skeleton, again.clip, time), bodyPlaces(skeleton, clip, time))
    expect(apart / extent(skeleton)).toBeLessThan(1e-4)
  }
})

it('a clip ends with its last key where single precision puts that behind the end', () => {
  const { skeleton } = smallRig()
  const clip = { ...smallClip(skeleton), duration: 1.1 }
  expect(readBackError(skeleton, clip, clipToBvh(skeleton, clip))).toBeLessThan(1e-5)
})

it('a clip that is not finite is refused by joint and frame', () => {
  const { skeleton } = smallRig()
  const clip = smallClip(skeleton)
  clip.tracks.at(-1)!.values[3 * 4] = Number.POSITIVE_INFINITY
  expect(() => clipToBvh(skeleton, clip)).toThrow(
    "clip 'walk': translation of joint 1 ('hips') is Infinity in frame 4;",
  )
  expect(() => clipToBvh(skeleton, smallClip(skeleton), { unit: 0 })).toThrow(/a unit of 0 m/)
})
