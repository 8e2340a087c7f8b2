/** What is written as BVH must be read back as it was; angles must not jump where the rotation does not. */
import { describe, expect, it } from 'vitest'
import { type BvhMotion, readBvhMotion } from '../../src/files/bvh-motion.js'
import { writeBvh } from '../../src/files/bvh-write.js'
import { multiplyQuaternions, quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { bvhText } from './samples-bvh.js'

/** One joint that turns as it is told. */
function turning(rotations: number[][]): BvhMotion {
  return {
    joints: [{ name: 'hips', parent: -1, offset: [0, 0, 0], endSite: [0, 1, 0] }],
    frameCount: rotations.length,
    frameTime: 0.01,
    rotations: Float32Array.from(rotations.flat()),
    translations: new Float32Array(3 * rotations.length),
  }
}

/** Z, Y and X of each frame [degrees]. */
function anglesOf(bytes: Uint8Array): number[][] {
  const lines = new TextDecoder().decode(bytes).trim().split('\n')
  const rows = lines.slice(lines.findIndex((line) => line.startsWith('Frame Time')) + 1)
  return rows.map((row) => row.split(' ').map(Number).slice(3))
}

/** Angle between rotations [rad]; q and -q are one. */
function apart(a: ArrayLike<number>, b: ArrayLike<number>, at: number): number {
  const dot = [0, 1, 2, 3].reduce((sum, k) => sum + a[at + k] * b[at + k], 0)
  const across = Math.hypot(...[0, 1, 2, 3].map((k) => a[at + k] - Math.sign(dot) * b[at + k]))
  return 2 * across
}

function largestTurn(a: BvhMotion, b: BvhMotion): number {
  let largest = 0
  for (let at = 0; at < a.rotations.length; at += 4) largest = Math.max(largest, apart(a.rotations, b.rotations, at))
  return largest
}

it('a motion is read back as it was, whichever order its angles had', () => {
  for (const order of [
    'Zrotation Yrotation Xrotation',
    'Xrotation Yrotation Zrotation',
    'Yrotation Xrotation Zrotation',
  ]) {
    const before = readBvhMotion(new TextEncoder().encode(bvhText(order)))
    const after = readBvhMotion(writeBvh(before))
    expect(after.joints.map(({ parent, offset, endSite }) => ({ parent, offset, endSite }))).toEqual(
      before.joints.map(({ parent, offset, endSite }) => ({ parent, offset, endSite })),
    )
    expect([after.frameCount, after.frameTime]).toEqual([3, 0.5])
    expect(largestTurn(before, after)).toBeLessThan(1e-6)
    after.translations.forEach((value, i) => {
      expect(value).toBeCloseTo(before.translations[i], 6)
    })
  }
})

it('is the text that everybody reads', () => {
  const motion = readBvhMotion(new TextEncoder().encode(bvhText()))
  const parts = (text: string) => text.trim().split(/(?<=Frame Time: 0.5\n)/)
  const [head, frames] = parts(new TextDecoder().decode(writeBvh(motion)))
  const [headBefore, framesBefore] = parts(bvhText())
  expect(head).toBe(headBefore.replace('Arm Left', 'Arm_Left'))
  const numbers = (text: string) =>
    text.split('\n').map((line) => line.split(' ').map((word) => Math.round(1e4 * Number(word))))
  expect(numbers(frames)).toEqual(numbers(framesBefore))
  expect(frames).toMatch(/^[-\d. \n]+$/)
})

it('joints come in the order in which they hang, wherever they stood', () => {
  const motion = readBvhMotion(new TextEncoder().encode(bvhText()))
  // hips, spine, leg, arm: the arm hangs from the spine, behind the leg.
  const order = [0, 1, 3, 2]
  const mixed: BvhMotion = {
    ...motion,
    joints: order.map((joint) => ({ ...motion.joints[joint], parent: order.indexOf(motion.joints[joint].parent) })),
    rotations: motion.rotations.map(
      (_, i) => motion.rotations[16 * Math.floor(i / 16) + 4 * order[Math.floor(i / 4) % 4] + (i % 4)],
    ),
    translations: motion.translations.map(
      (_, i) => motion.translations[12 * Math.floor(i / 12) + 3 * order[Math.floor(i / 3) % 4] + (i % 3)],
    ),
  }
  expect(writeBvh(mixed)).toEqual(writeBvh(motion))
})

it('names become words of their own', () => {
  const names = ['', 'a b', 'a\tb', 'a_b_2', 'a_b', '{', '手', '  ', 'mixamorig:Hips', 'x\nMOTION']
  const joints = names.map((name, i) => ({
    name,
    parent: i - 1,
    offset: [0, 1, 0] as [number, number, number],
    endSite: undefined,
  }))
  const rotations = Float32Array.from({ length: 4 * names.length }, (_, i) => (i % 4 === 3 ? 1 : 0))
  const translations = Float32Array.from({ length: 3 * names.length }, (_, i) => (i % 3 === 1 ? 1 : 0))
  const read = readBvhMotion(writeBvh({ joints, frameCount: 1, frameTime: 0.1, rotations, translations }))
  expect(read.joints.map(({ name }) => name)).toEqual([
    'joint0',
    'a_b',
    'a_b_3',
    'a_b_2',
    'a_b_4',
    'joint5',
    'joint6',
    'joint7',
    'mixamorig_Hips',
    'x_MOTION',
  ])
})

describe('angles', () => {
  const random = randomStream(11)
  it('say the rotation, wherever it is (seed 11)', () => {
    const rotations = Array.from({ length: 500 }, () => {
      const q = [0, 0, 0, 0].map(() => random.normal())
      return q.map((value) => value / Math.hypot(...q))
    })
    const motion = turning(rotations)
    expect(largestTurn(motion, readBvhMotion(writeBvh(motion)))).toBeLessThan(1e-6)
  })

  it.each([1, -1])('say it also at and near a quarter turn about Y, where Z and X turn about one axis (%i)', (side) => {
    const rotations: number[][] = []
    for (const off of [0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3]) {
      for (const z of [-3, 0, 0.4, 3.1]) {
        const q = new Float64Array(4)
        const turn = new Float64Array(4)
        quaternionOfVector([0, 0, z], 0, q, 0)
        quaternionOfVector([0, side * (Math.PI / 2 - off), 0], 0, turn, 0)
        multiplyQuaternions(q, 0, turn, 0, q, 0)
        quaternionOfVector([0.7, 0, 0], 0, turn, 0)
        multiplyQuaternions(q, 0, turn, 0, q, 0)
        rotations.push([...q])
      }
    }
    const motion = turning(rotations)
    expect(largestTurn(motion, readBvhMotion(writeBvh(motion)))).toBeLessThan(3e-6)
  })

  it('go on without jumps: whole turns about each axis, and over the quarter turn about Y', () => {
    for (const axis of [0, 1, 2]) {
      const rotations = Array.from({ length: 200 }, (_, frame) => {
        const v = [0, 0, 0]
        v[axis] = (4 * Math.PI * frame) / 199
        const q = new Float64Array(4)
        quaternionOfVector(v, 0, q, 0)
        return [...q]
      })
      const angles = anglesOf(writeBvh(turning(rotations)))
      angles.forEach((row, frame) => {
        const due = [0, 0, 0]
        due[2 - axis] = (720 * frame) / 199
        row.forEach((angle, k) => {
          expect(angle, `axis ${axis}, frame ${frame}`).toBeCloseTo(due[k], 2)
        })
      })
    }
  })
})

describe('is refused in one line', () => {
  const motion = readBvhMotion(new TextEncoder().encode(bvhText()))
  it('naming joint and frame', () => {
    const rotations = motion.rotations.slice()
    rotations[4 * (4 * 2 + 1)] = Number.NaN
    expect(() => writeBvh({ ...motion, rotations })).toThrow(
      "bvh: the rotation of joint 1 ('Spine') is NaN in frame 2;",
    )
    const translations = motion.translations.with(3 * 4 + 2, Number.POSITIVE_INFINITY)
    expect(() => writeBvh({ ...motion, translations })).toThrow(
      "bvh: the place of joint 0 ('Hips') is Infinity in frame 1;",
    )
    const joints = motion.joints.with(2, { ...motion.joints[2], offset: [0, Number.NaN, 0] })
    expect(() => writeBvh({ ...motion, joints })).toThrow("bvh: joint 'Arm Left' has the offset 0, NaN, 0;")
  })

  it('for no frames, no time, too few numbers, a joint before its parent, too many levels', () => {
    expect(() => writeBvh({ ...motion, frameCount: 0 })).toThrow('bvh: 0 frames of 0.5 s cannot be written;')
    expect(() => writeBvh({ ...motion, frameTime: 0 })).toThrow('bvh: 3 frames of 0 s cannot be written;')
    expect(() => writeBvh({ ...motion, frameCount: 2 })).toThrow(
      'bvh: 48 numbers of rotations for 4 joints in 2 frames;',
    )
    const joints = motion.joints.with(1, { ...motion.joints[1], parent: 2 })
    expect(() => writeBvh({ ...motion, joints })).toThrow(
      'bvh: joint 1 hangs from joint 2; pass parents before children.',
    )
    const chain = Array.from({ length: 1001 }, (_, i) => ({ ...motion.joints[0], parent: i - 1 }))
    const flat = { rotations: new Float32Array(4 * 1001).fill(0.5), translations: new Float32Array(3 * 1001) }
    expect(() => writeBvh({ ...motion, joints: chain, frameCount: 1, ...flat })).toThrow(
      /1000 levels deep, 1000 are read/,
    )
  })
})
