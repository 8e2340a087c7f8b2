/** A clip that is put into a GLB must move its nodes as it moves the skeleton, for every reader. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { clipIntoGlb } from '../../src/files/gltf-clip.js'
import type { Clip } from '../../src/model/clip.js'
import { animationOfClip } from '../../src/model/clip-animation.js'
import { clipToBvh } from '../../src/model/clip-bvh.js'
import { type Rig, rigFromScene } from '../../src/model/rig.js'
import { rigToGlb } from '../../src/model/rig-glb.js'
import { sampleCharacter } from './rig-sample.js'
import {
  extent,
  fiveTimes,
  largestDifference,
  ownPlaces,
  smallClip,
  smallRig,
  threePlayer,
  transformPlayer,
} from './written-clips.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)

/** A GLB with a rig, and a clip for the rig as it is read. */
async function withClip(
  glb: Uint8Array,
  make: (rig: Rig) => Clip,
): Promise<{ rig: Rig; clip: Clip; written: Uint8Array }> {
  const rig = rigFromScene(readGltf(glb))
  const clip = make(rig)
  return { rig, clip, written: clipIntoGlb(glb, animationOfClip(rig.skeleton, clip, rig.nodes)) }
}

/** The clip of the written file, as three readers play it. */
async function expectPlayedAlike(glb: Uint8Array, make: (rig: Rig) => Clip): Promise<void> {
  const { rig, clip, written } = await withClip(glb, make)
  const { skeleton, nodes } = rig
  const again = rigFromScene(readGltf(written))
  const read = again.clips.find(({ name }) => name === clip.name)!
  const tolerance = 1e-5 * extent(skeleton)
  const joints = nodes.filter((node) => node >= 0)
  const placesOf = (time: number) => ownPlaces(skeleton, clip, time).slice(-3 * joints.length)
  const three = await threePlayer(written, clip.name)
  for (const time of fiveTimes(clip)) {
    expect(largestDifference(ownPlaces(again.skeleton, read, time), ownPlaces(skeleton, clip, time))).toBeLessThan(
      tolerance,
    )
    expect(largestDifference(three(time, joints), placesOf(time)), `three.js at ${time} s`).toBeLessThan(tolerance)
  }
  const transform = await transformPlayer(written, clip.name)
  for (const share of [0, 0.2, 0.5, 0.8, 1]) {
    const key = Math.round(share * (transform.times.length - 1))
    const places = placesOf(Math.min(transform.times[key], clip.duration))
    expect(largestDifference(transform.places(key, joints), places), `glTF-Transform at key ${key}`).toBeLessThan(
      tolerance,
    )
  }
}

describe('a clip in a GLB is played alike by us, three.js and glTF-Transform', () => {
  const small: [string, Parameters<typeof smallRig>[0]][] = [
    ['a rig in metres', {}],
    ['a rig in centimetres under an armature of 0.01', { armatureScale: 0.01 }],
    ['joints of one name', { names: ['armature', 'bone', 'bone', 'bone', 'bone', 'bone', 'bone', 'bone'] }],
    ['joints without names', { names: ['', '', '', '', '', '', '', ''] }],
  ]
  it.each(small)('%s', async (_, options) => {
    const { skeleton, surface } = smallRig(options)
    const glb = rigToGlb({ skeleton, surface }, [])
    await expectPlayedAlike(glb, (rig) => smallClip(rig.skeleton))
  })

  it('a clip of one frame', async () => {
    const { skeleton, surface } = smallRig()
    await expectPlayedAlike(rigToGlb({ skeleton, surface }, []), (rig) => smallClip(rig.skeleton, { frames: 1 }))
  })

  it('joints that the file has in another order, nodes above the root that move, joints between', async () => {
    const glb = await sampleCharacter()
    await expectPlayedAlike(glb, ({ skeleton }) => smallClip(skeleton, { name: 'other' }))
  })

  test.skipIf(!existsSync(folder)).each(['rig-fox.glb', 'rig-makehuman-cmu31.glb'])('%s', async (file) => {
    const glb = readFileSync(new URL(file, folder))
    await expectPlayedAlike(glb, ({ skeleton }) => smallClip(skeleton, { name: 'other' }))
    await expectPlayedAlike(glb, ({ skeleton, clips }) => clips[0] ?? smallClip(skeleton))
  })
})

describe('an animation of a clip', () => {
  it('has unit quaternions, none of which lies opposite to the one before', () => {
    const { skeleton, nodes } = smallRig()
    const { channels } = animationOfClip(skeleton, smallClip(skeleton), nodes)
    for (const { path, values } of channels) {
      if (path !== 'rotation') continue
      for (let at = 0; at < values.length; at += 4) {
        expect(Math.hypot(...values.subarray(at, at + 4))).toBeCloseTo(1, 6)
        if (at > 0)
          expect([0, 1, 2, 3].reduce((dot, k) => dot + values[at + k] * values[at - 4 + k], 0)).toBeGreaterThan(0)
      }
    }
  })

  it('moves only joints that leave their rest, at one list of times', () => {
    const { skeleton, nodes } = smallRig()
    const clip = smallClip(skeleton)
    const { times } = clip.tracks[0]
    const still = Float32Array.from({ length: 3 * times.length }, (_, i) => skeleton.rest.translations[9 + (i % 3)])
    clip.tracks.push({ target: 3, path: 'translation', interpolation: 'LINEAR', times, values: still, size: 3 })
    const { channels } = animationOfClip(skeleton, clip, nodes)
    expect(channels.filter(({ path }) => path === 'rotation').map(({ node }) => node)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(channels.filter(({ path }) => path !== 'rotation').map(({ node, path }) => [node, path])).toEqual([
      [1, 'translation'],
    ])
    expect(new Set(channels.map((channel) => channel.times)).size).toBe(1)
    expect([...channels[0].times]).toEqual([...times])
  })

  it('takes the keys of all tracks where they differ, and even frames where values are curved between them', async () => {
    const { skeleton, nodes } = smallRig()
    const clip = smallClip(skeleton)
    clip.tracks[2] = { ...clip.tracks[2], times: clip.tracks[2].times.map((time) => 0.95 * time) }
    expect(animationOfClip(skeleton, clip, nodes).channels[0].times).toHaveLength(12 + 11)
    const rig = rigFromScene(readGltf(await sampleCharacter()))
    const [wave] = rig.clips
    expect(animationOfClip(rig.skeleton, wave, rig.nodes).channels[0].times).toHaveLength(60 * 2 + 1)
    const slow = animationOfClip(rig.skeleton, wave, rig.nodes, { framesPerSecond: 10 })
    expect(slow.channels[0].times).toHaveLength(10 * 2 + 1)
  })

  it.each([0, -30, Number.NaN, Infinity])('is refused at %s frames per second', (framesPerSecond) => {
    const { skeleton, nodes } = smallRig()
    const clip = smallClip(skeleton)
    const message = `${framesPerSecond} frames per second; give a positive number.`
    expect(() => animationOfClip(skeleton, clip, nodes, { framesPerSecond })).toThrow(message)
    expect(() => clipToBvh(skeleton, clip, { framesPerSecond })).toThrow(message)
  })

  it('ends with its last key where single precision puts that behind the end', () => {
    const { skeleton, nodes } = smallRig()
    const clip = { ...smallClip(skeleton), duration: 1.1 }
    expect(clip.tracks[0].times.at(-1)).toBeGreaterThan(clip.duration)
    const { values } = animationOfClip(skeleton, clip, nodes).channels.find(({ path }) => path === 'translation')!
    expect(largestDifference(values.slice(-3), clip.tracks.at(-1)!.values.slice(-3))).toBeLessThan(1e-5)
  })

  it('is refused where a number is not finite, by joint and frame', () => {
    const { skeleton, nodes } = smallRig()
    const clip = smallClip(skeleton)
    clip.tracks[2].values[4 * 7 + 1] = Number.NaN
    expect(() => animationOfClip(skeleton, clip, nodes)).toThrow(
      "clip 'walk': rotation of joint 3 ('arm') is NaN in frame 7; repair or leave out the clip.",
    )
  })

  it('is refused where a joint that moves is no node', () => {
    const { skeleton, nodes } = smallRig()
    expect(() => animationOfClip(skeleton, smallClip(skeleton), nodes.with(1, -1))).toThrow(
      /'hips' moves and is no node/,
    )
    expect(() => animationOfClip(skeleton, smallClip(skeleton), nodes.slice(1))).toThrow(/7 nodes for 8 joints/)
  })
})
