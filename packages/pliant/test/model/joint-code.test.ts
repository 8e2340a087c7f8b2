import { expect, it } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { chooseJointCode } from '../../src/model/choose-joint-code.js'
import { type Clip, frameTimes, sampleClip } from '../../src/model/clip.js'
import { JointCode, jointVector } from '../../src/model/joint-code.js'
import { rigFromScene } from '../../src/model/rig.js'
import { Skeleton } from '../../src/model/skeleton.js'
import { weightOfJoints } from '../../src/model/skinned-surface.js'
import { sampleCharacter } from './rig-sample.js'

const rig = rigFromScene(readGltf(await sampleCharacter()))
const { skeleton, clips, height } = rig
const subject = { skeleton, weights: weightOfJoints(rig.surface, skeleton.jointCount), height }
const code = chooseJointCode(subject, clips)
const usedJoints = (of: JointCode) => of.describe().joints.map(({ name }) => name)
const reasonFor = (of: JointCode, joint: string, what: string) =>
  of.dropped.find((one) => one.joint === joint && one.what === what)?.reason

it('holds the joints that shape the body, not hands, feet, head or root', () => {
  expect(usedJoints(code)).toEqual(['spine', 'armL', 'leg'])
  expect(reasonFor(code, 'indexL', 'rotation')).toBe('part of the hands')
  expect(reasonFor(code, 'foot', 'rotation')).toBe('part of the feet')
  expect(reasonFor(code, 'head', 'rotation')).toBe('part of the head')
})

it('drops what the clips never move, keeps joints that slide, and says where a scale is lost', () => {
  expect(code.describe().joints).toEqual([
    { name: 'spine', rotation: 'xy', translation: 'xy' },
    { name: 'armL', rotation: 'xyz', translation: '' },
    { name: 'leg', rotation: 'xy', translation: '' },
  ])
  expect(reasonFor(code, 'spine', 'rotation z')).toBe('the same in all 1 clips')
  expect(reasonFor(code, 'leg', 'scale')).toContain('varies by 1')
})

it('bounds every pose of the clips, and nothing beyond [-1, 1]', () => {
  const pose = skeleton.createPose()
  const entries = new Float64Array(code.size)
  for (const time of frameTimes(clips[0], 30)) {
    sampleClip(skeleton, clips[0], time, pose)
    code.encode(pose, entries)
    entries.forEach((value, i) => {
      expect(value).toBeGreaterThanOrEqual(code.bounds.lower[i] - 1e-9)
      expect(value).toBeLessThanOrEqual(code.bounds.upper[i] + 1e-9)
    })
  }
  expect(Math.min(...code.bounds.lower)).toBeGreaterThanOrEqual(-1)
  expect(Math.max(...code.bounds.upper)).toBeLessThanOrEqual(1)
})

it('decodes what it encoded: the same code, and the same pose where the code holds all that moved (seed 5)', () => {
  const random = randomStream(5)
  const pose = skeleton.createPose()
  for (let round = 0; round < 50; round++) {
    const given = Float64Array.from(code.bounds.lower, (low, i) => random.between(low, code.bounds.upper[i]))
    // Three components of up to pi each may make more than half a turn, which has a shorter name.
    const shorter = given.map((value, i) => (code.axes[i] < 3 ? value / 2 : value))
    code.decode(shorter, pose)
    const back = new Float64Array(code.size)
    code.encode(pose, back)
    back.forEach((value, i) => {
      expect(value).toBeCloseTo(shorter[i], 10)
    })
  }
})

it('is zero at rest and even in all directions: a turn by 90 degrees has length 1/2 whatever its axis (seed 6)', () => {
  const random = randomStream(6)
  const all = chooseJointCode(subject, [])
  const entry = all.joints.indexOf(skeleton.jointNamed('spine'))
  const pose = skeleton.createPose()
  const values = new Float64Array(all.size)
  all.encode(pose, values)
  expect(Math.max(...values.map(Math.abs))).toBe(0)
  for (let round = 0; round < 20; round++) {
    const axis = [random.normal(), random.normal(), random.normal()]
    const length = Math.hypot(...axis)
    const quarter = axis.map((value) => (value / length) * (Math.PI / 2))
    quaternionOfVector(quarter, 0, pose.rotations, 4 * skeleton.jointNamed('spine'))
    all.encode(pose, values)
    expect(Math.hypot(...values.subarray(entry, entry + 3))).toBeCloseTo(0.5, 12)
    // Its opposite quaternion is the same rotation.
    for (let k = 0; k < 4; k++) pose.rotations[4 * skeleton.jointNamed('spine') + k] *= -1
    const again = new Float64Array(all.size)
    all.encode(pose, again)
    expect(Math.hypot(...again.map((value, i) => value - values[i]))).toBeLessThan(1e-12)
  }
})

it('puts what it leaves out at its mean over the clips', () => {
  const turned: Clip = {
    name: 'turned',
    duration: 1,
    tracks: ['handL', 'spine'].map((name, i) => ({
      target: skeleton.jointNamed(name),
      path: 'rotation',
      interpolation: 'LINEAR',
      size: 4,
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0.6, 0, 0.8, i * 0.6, (1 - i) * 0.6, 0, 0.8),
    })),
  }
  const pose = skeleton.createPose()
  const withHand = chooseJointCode(subject, [turned])
  withHand.decode(new Float64Array(withHand.size), pose)
  const at = 4 * skeleton.jointNamed('handL')
  expect([...pose.rotations.subarray(at, at + 4)].map((value) => value.toFixed(6))).toEqual([
    '0.000000',
    '0.600000',
    '0.000000',
    '0.800000',
  ])
})

it('leaves out nothing by name where the character is a hand', () => {
  const names = ['armature', 'wrist', 'thumb-1', 'index-1', 'index-2']
  const hand = new Skeleton({
    names,
    parents: Int32Array.of(-1, 0, 1, 1, 3),
    root: 0,
    rest: {
      translations: new Float64Array(15),
      rotations: Float64Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      scales: new Float64Array(15).fill(1),
    },
  })
  const chosen = chooseJointCode({ skeleton: hand, weights: [0, 1, 1, 1, 1], height: 0.2 }, [])
  expect(usedJoints(chosen)).toEqual(names.slice(1))
})

it('takes the joints that the user names, and refuses others', () => {
  expect(usedJoints(chooseJointCode(subject, [], { joints: ['handL', 'spine'] }))).toEqual(['spine', 'handL'])
  expect(() => chooseJointCode(subject, clips, { joints: ['tail'] })).toThrow("no joint 'tail'")
  expect(() => chooseJointCode(subject, clips, { joints: ['armature'] })).toThrow("below the root 'hips'")
})

it('has without clips all three axes of each joint, to 45 degrees either way', () => {
  const all = chooseJointCode(subject, [])
  expect(all.describe().joints).toEqual(
    ['spine', 'armL', 'leg'].map((name) => ({ name, rotation: 'xyz', translation: '' })),
  )
  expect(new Set(all.bounds.upper)).toEqual(new Set([0.25]))
  expect(all.fixed.rotations).toEqual(skeleton.rest.rotations)
})

it('refuses a code of another length, and data that do not fit together', () => {
  expect(() => code.decode([0], skeleton.createPose())).toThrow(`joint code: Array of 1 for ${code.size} code values`)
  expect(() => new JointCode(skeleton, { ...code, axes: new Uint8Array(1) })).toThrow('give one each')
  const unordered = Uint16Array.from(code.joints).reverse()
  expect(() => new JointCode(skeleton, { ...code, joints: unordered })).toThrow('rising order')
  const beyond = Uint16Array.from(code.joints).fill(99)
  expect(() => new JointCode(skeleton, { ...code, joints: beyond })).toThrow('joint 99')
})

it('decodes onto a pose what the code holds, and leaves all else as it is (seed 9)', () => {
  const random = randomStream(9)
  const anyPose = () => {
    const pose = skeleton.createPose()
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      const turn = Float64Array.from({ length: 3 }, () => random.between(-0.5, 0.5))
      quaternionOfVector(turn, 0, pose.rotations, 4 * joint)
    }
    for (const values of [pose.translations, pose.scales]) {
      for (let i = 0; i < values.length; i++) values[i] += random.uniform()
    }
    return pose
  }
  const shorter = () =>
    Float64Array.from(
      code.bounds.lower,
      (low, i) => random.between(low, code.bounds.upper[i]) / (code.axes[i] < 3 ? 2 : 1),
    )
  for (let round = 0; round < 20; round++) {
    const before = anyPose()
    const pose = structuredClone(before)
    const asked = shorter()
    code.decodeOnto(asked, pose)
    const found = new Float64Array(code.size)
    code.encode(pose, found)
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(asked[i], 9)
    expect(pose.scales).toEqual(before.scales)
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      const entries = [...code.joints.keys()].filter((entry) => code.joints[entry] === joint)
      const axes = entries.map((entry) => code.axes[entry])
      if (entries.length === 0) {
        expect(pose.rotations.subarray(4 * joint, 4 * joint + 4)).toEqual(
          before.rotations.subarray(4 * joint, 4 * joint + 4),
        )
      }
      const [was, is] = [before, pose].map((of) => {
        const vector = new Float64Array(3)
        jointVector(skeleton, of, joint, vector, 0)
        return vector
      })
      for (let axis = 0; axis < 3; axis++) {
        if (!axes.includes(axis)) expect(is[axis], `${skeleton.names[joint]} ${axis}`).toBeCloseTo(was[axis], 9)
        const at = 3 * joint + axis
        if (!axes.includes(3 + axis)) expect(pose.translations[at]).toBe(before.translations[at])
      }
    }
  }
})

it('decodes onto its fixed pose as it decodes, and refuses a code that is none (seed 10)', () => {
  const random = randomStream(10)
  for (let round = 0; round < 20; round++) {
    const given = Float64Array.from(code.bounds.lower, (low, i) => random.between(low, code.bounds.upper[i]))
    const [due, pose] = [skeleton.createPose(), structuredClone(code.fixed)]
    code.decode(given, due)
    code.decodeOnto(given, pose)
    expect(pose).toEqual(due)
  }
  const pose = structuredClone(code.fixed)
  expect(() => code.decodeOnto(new Float64Array(code.size - 1), pose)).toThrow(/joint code: /)
  expect(() => code.decodeOnto(new Float64Array(code.size).fill(Number.NaN), pose)).toThrow(/code value 0 is NaN/)
  expect(pose).toEqual(code.fixed)
})
