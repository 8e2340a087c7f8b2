import { existsSync, readFileSync } from 'node:fs'
import { AnimationMixer, Object3D, Quaternion } from 'three'
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js'
import { describe, expect, it, test } from 'vitest'
import { looksLikeBvh, readBvhMotion } from '../../src/files/bvh-motion.js'
import { bvhText } from './samples-bvh.js'

const encode = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readBvhMotion(encode(text))
const folder = new URL('../../../../../shared/data/bvh/', import.meta.url)

/** World rotations and places of every joint at a frame, by three.js. */
function expectSameAsThree(text: string, frames: readonly number[]): void {
  const motion = read(text)
  const three = new BVHLoader().parse(text)
  const root = three.skeleton.bones[0]
  const scene = new Object3D().add(root)
  const mixer = new AnimationMixer(root)
  mixer.clipAction(three.clip).play()
  const count = motion.joints.length
  for (const frame of frames) {
    mixer.setTime(frame * motion.frameTime)
    scene.updateMatrixWorld(true)
    motion.joints.forEach(({ name }, joint) => {
      const bone = three.skeleton.bones.find((each) => each.name === name)!
      const own = new Quaternion().fromArray(motion.rotations, 4 * (frame * count + joint))
      expect(own.angleTo(bone.quaternion), `${name} at frame ${frame}`).toBeLessThan(2e-3)
      const place = motion.translations.subarray(3 * (frame * count + joint), 3 * (frame * count + joint) + 3)
      if (motion.joints[joint].parent < 0) return
      expect(Math.hypot(...bone.position.toArray().map((value, k) => value - place[k]))).toBeLessThan(1e-4)
    })
  }
}

it('reads joints, offsets, end sites and frames', () => {
  const motion = read(bvhText())
  expect(motion.joints.map(({ name, parent }) => [name, parent])).toEqual([
    ['Hips', -1],
    ['Spine', 0],
    ['Arm Left', 1],
    ['Leg', 0],
  ])
  expect(motion.joints[2].endSite).toEqual([1, 0, 0])
  expect(motion.joints[1].offset).toEqual([0, 2, 0])
  expect([motion.frameCount, motion.frameTime]).toEqual([3, 0.5])
  expect([...motion.translations.subarray(0, 6)]).toEqual([1, 10, 2, 0, 2, 0])
})

it('turns in the order of the channels, as three.js does', () => {
  for (const order of [
    'Zrotation Yrotation Xrotation',
    'Xrotation Yrotation Zrotation',
    'Yrotation Zrotation Xrotation',
  ]) {
    // three.js cuts names at blanks, and takes the last frame for the first of the next round.
    expectSameAsThree(bvhText(order).replace('Arm Left', 'Arm'), [0, 1])
  }
})

it('turns by the first channel last: Z 90 then X 90 takes y to x-ward', () => {
  // q = Rz Rx; Rx(90) y = z, Rz(90) z = z.
  const motion = read(bvhText('Zrotation Xrotation Yrotation', '90 90 0'))
  const turned = new Quaternion().fromArray(motion.rotations, 4)
  const y = new Object3D().up.clone().set(0, 1, 0).applyQuaternion(turned)
  expect(y.toArray().map((value) => Math.round(value * 1e6) / 1e6 + 0)).toEqual([0, 0, 1])
})

it('takes Windows line ends, braces on the line of the name, and words in any case', () => {
  const plain = read(bvhText())
  const other = read(
    bvhText()
      .replaceAll(/\n\s*\{/g, ' {')
      .replace('HIERARCHY', 'Hierarchy')
      .replaceAll('CHANNELS', 'channels')
      .replaceAll('\n', '\r\n'),
  )
  expect(other).toEqual(plain)
})

it('knows its files by their beginning', () => {
  expect(looksLikeBvh(encode(bvhText()))).toBe(true)
  expect(looksLikeBvh(encode('# obj\nv 1 2 3'))).toBe(false)
})

describe('refuses', () => {
  it.each([
    ['another format', () => 'v 1 2 3', 'does not begin with HIERARCHY'],
    ['a hierarchy cut short', () => bvhText().slice(0, 60), 'the file ends before'],
    ['frames cut short', () => bvhText().slice(0, -8), 'frame 3 of 3'],
    ['more frames than bytes', () => bvhText().replace('Frames: 3', 'Frames: 3000000'), '3000000 frames declared'],
    ['no frames', () => bvhText().replace('Frames: 3', 'Frames: 0'), 'no frames'],
    ['no time between frames', () => bvhText().replace('0.5\n', '0\n'), 'the frame time is 0'],
    ['a channel that is not known', () => bvhText().replace('Xposition', 'Wposition'), "the channel 'Wposition'"],
    ['too many channels', () => bvhText().replace('CHANNELS 6', 'CHANNELS 60'), 'declares 60 channels'],
    ['a number that is none', () => bvhText().replace('OFFSET 0 2 0', 'OFFSET 0 two 0'), "'two'"],
    ['a length beyond all measure', () => bvhText().replace('OFFSET 0 2 0', 'OFFSET 0 1e39 0'), '1e+39'],
    ['a word out of place', () => bvhText().replace('CHANNELS 3', 'SOCKETS 3'), "'SOCKETS' where it cannot be"],
  ])('%s', (_, text, message) => {
    expect(() => read(text())).toThrow(message)
  })

  it('memory beyond the file: thousands of joints without channels', () => {
    const joints = 'JOINT a\n{\nOFFSET 0 0 0\n}\n'.repeat(2000)
    const text = `HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n${joints}}\nMOTION\nFrames: 5000\nFrame Time: 1\n`
    expect(() => read(text + '0\n'.repeat(5000))).toThrow('5000 frames of 2001 joints')
  })

  it('hierarchies without end', () => {
    const text = `HIERARCHY\nROOT r\n{\n${'JOINT a\n{\n'.repeat(5000)}`
    expect(() => read(text)).toThrow('more than 10000 joints or 1000 levels')
  })
})

test.skipIf(!existsSync(folder)).each(['05_01.bvh', '60_01.bvh'])('%s is read as three.js reads it', (name) => {
  expectSameAsThree(readFileSync(new URL(name, folder), 'latin1'), [0, 1, 250])
})
