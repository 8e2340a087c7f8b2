/** A code measured from carriers tells the same poses as the file's joints, and moves no bone that it does not have to. */
import { describe, expect, it } from 'vitest'
import { quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { chooseJointCode } from '../../src/model/choose-joint-code.js'
import type { Clip, ClipTrack } from '../../src/model/clip.js'
import type { JointCode } from '../../src/model/joint-code.js'
import type { Skeleton, SkeletonPose } from '../../src/model/skeleton.js'
import { anyPose, CARRIERS, flatSkeleton, quaternions, wholeCode } from './flat-rig.js'

const matricesOf = (skeleton: Skeleton, pose: SkeletonPose): Float64Array => skeleton.stateOf(pose).matrices
const off = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0)
const jointsThatDiffer = ({ names }: Skeleton, a: SkeletonPose, b: SkeletonPose): string[] =>
  names.filter((_, joint) =>
    (['translations', 'rotations', 'scales'] as const).some((part) => {
      const size = a[part].length / names.length
      return a[part].subarray(size * joint, size * (joint + 1)).some((value, k) => value !== b[part][size * joint + k])
    }),
  )
/** Rotation vectors of up to half a turn have no second name. */
const anyCode = (code: JointCode, random: ReturnType<typeof randomStream>): Float64Array =>
  Float64Array.from({ length: code.size }, () => random.between(-0.5, 0.5))

describe.each([false, true])('a code measured from carriers (axes of its own: %s)', (withBases) => {
  const random = randomStream(41)
  const skeleton = flatSkeleton(random)
  const bases = withBases ? quaternions(random, skeleton.jointCount) : undefined
  const fixed = anyPose(skeleton, random)
  const code = wholeCode(skeleton, { carriers: CARRIERS, bases, fixed })

  it('hangs joints from carriers where they are at rest, in the root frame and in metres', () => {
    expect([...code.carried.parents]).toEqual([...CARRIERS])
    expect(off(code.carried.restMatrices, skeleton.restMatrices)).toBeLessThan(1e-12)
    expect(code.carried.belowRoot).toEqual(skeleton.belowRoot)
  })

  it('decodes what it encoded, both ways (seed 41)', () => {
    const [pose, again, found] = [skeleton.createPose(), skeleton.createPose(), new Float64Array(code.size)]
    for (let round = 0; round < 30; round++) {
      const asked = anyCode(code, random)
      code.decode(asked, pose)
      code.encode(pose, found)
      expect(off(found, asked)).toBeLessThan(1e-9)
      // Any pose of the file's joints, whatever turned or slid.
      const given = anyPose(skeleton, random)
      code.encode(given, found)
      code.decode(found, again)
      expect(off(matricesOf(skeleton, again), matricesOf(skeleton, given))).toBeLessThan(1e-9)
      expect(again.scales).toEqual(given.scales)
    }
  })

  it('has joints where the file has them, without going by its poses (seed 41)', () => {
    const [pose, carried] = [skeleton.createPose(), code.carried.createPose()]
    for (let round = 0; round < 10; round++) {
      const asked = anyCode(code, random)
      code.decode(asked, pose)
      code.decodeCarried(asked, carried)
      expect(off(matricesOf(code.carried, carried), matricesOf(skeleton, pose))).toBeLessThan(1e-12)
    }
  })

  it('decodes onto a pose whose joints have grown, and leaves their scales (seed 41)', () => {
    for (let round = 0; round < 10; round++) {
      const [from, to] = [anyPose(skeleton, random), anyPose(skeleton, random)]
      for (const { scales } of [from, to]) {
        // Wrist, with all that hangs from it in the file, and a joint that others are carried by.
        for (let i = 15; i < 18; i++) scales[i] *= 1.3
        for (let i = 9; i < 12; i++) scales[i] *= 0.7
      }
      const asked = new Float64Array(code.size)
      code.encode(to, asked)
      code.decodeOnto(asked, from)
      expect(off(matricesOf(skeleton, from), matricesOf(skeleton, to))).toBeLessThan(1e-9)
      expect(from.scales).toEqual(to.scales)
    }
  })

  it('turns what a joint carries with it, and no other bone by the last bit (seed 41)', () => {
    const before = anyPose(skeleton, random)
    const asked = new Float64Array(code.size)
    const movedBy = (name: string, axis: number): string[] => {
      const pose = structuredClone(before)
      code.encode(pose, asked)
      const entry = code.joints.indexOf(skeleton.jointNamed(name)) + axis
      asked[entry] += 0.1
      code.decodeOnto(asked, pose)
      const found = new Float64Array(code.size)
      code.encode(pose, found)
      expect(off(found, asked)).toBeLessThan(1e-9)
      return jointsThatDiffer(skeleton, before, pose)
    }
    expect(movedBy('knuckle', 0)).toEqual(['tip', 'middle', 'knuckle'])
    expect(movedBy('tip', 4)).toEqual(['tip'])
    // What hangs from the wrist in the file moves with it by itself.
    expect(movedBy('wrist', 2)).toEqual(['tip', 'middle', 'knuckle', 'wrist'])
    // The sleeve is carried by the arm and hangs from the ring, which goes away under it.
    expect(movedBy('ring', 1)).toEqual(['ring', 'sleeve'])
    expect(movedBy('arm', 1)).toEqual(['arm'])
    expect(movedBy('tuft', 1)).toEqual(['tuft'])
    const same = structuredClone(before)
    code.encode(same, asked)
    code.decodeOnto(asked, same)
    expect(same).toEqual(before)
  })

  it('says which joints its codes move in their parents', () => {
    const entries = [...code.joints.keys()].filter((entry) => code.joints[entry] === skeleton.jointNamed('knuckle'))
    const pick = <T extends { filter(keep: (_: number, entry: number) => boolean): T }>(values: T): T =>
      values.filter((_, entry) => entries.includes(entry))
    const { joints, axes, units, bounds } = code
    const picked = { joints: pick(joints), axes: pick(axes), units: pick(units) }
    const box = { lower: pick(bounds.lower), upper: pick(bounds.upper) }
    const knuckle = wholeCode(skeleton, { ...picked, bounds: box, carriers: CARRIERS, bases })
    const due = ['tip', 'middle', 'knuckle'].map((name) => skeleton.jointNamed(name))
    expect(knuckle.movedJoints()).toEqual({ turned: due, slid: due })
  })
})

it('bends a joint about an axis of its own by one number (seed 42)', () => {
  const random = randomStream(42)
  const skeleton = flatSkeleton(random)
  const bases = quaternions(random, skeleton.jointCount)
  const code = wholeCode(skeleton, { carriers: CARRIERS, bases })
  const tip = skeleton.jointNamed('tip')
  // A quarter of a turn about its second axis, in the root frame at rest.
  const asked = new Float64Array(code.size)
  asked[code.joints.indexOf(tip) + 1] = 0.5
  const pose = skeleton.createPose()
  code.decode(asked, pose)
  const [x, y, z, w] = bases.subarray(4 * tip, 4 * tip + 4)
  const axis = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
  const turn = new Float64Array(4)
  quaternionOfVector(
    axis.map((value) => (value * Math.PI) / 2),
    0,
    turn,
    0,
  )
  const about = new Float64Array(16)
  const rest = skeleton.restMatrices.subarray(16 * tip, 16 * tip + 16)
  rotate(turn, rest, about)
  expect(off(matricesOf(skeleton, pose).subarray(16 * tip, 16 * tip + 12), about.subarray(0, 12))).toBeLessThan(1e-12)
})

/** The axes of a frame, turned. */
function rotate([x, y, z, w]: Float64Array, from: Float64Array, out: Float64Array): void {
  for (let at = 0; at < 12; at += 4) {
    const [a, b, c] = from.subarray(at, at + 3)
    const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
    out.set([a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u], at)
  }
}

it('is as it was, to the last bit, where every carrier is the parent (seed 43)', () => {
  const random = randomStream(43)
  const skeleton = flatSkeleton(random)
  const [plain, same] = [wholeCode(skeleton), wholeCode(skeleton, { carriers: skeleton.parents })]
  expect(plain.carried).toBe(skeleton)
  const [a, b] = [skeleton.createPose(), skeleton.createPose()]
  const asked = anyCode(plain, random)
  plain.decode(asked, a)
  same.decode(asked, b)
  expect(b).toEqual(a)
})

it('leaves joints out at their mean as seen from their carriers (seed 45)', () => {
  const random = randomStream(45)
  const skeleton = flatSkeleton(random)
  const whole = wholeCode(skeleton, { carriers: CARRIERS })
  const entryOf = (name: string): number => whole.joints.indexOf(skeleton.jointNamed(name))
  // The knuckle bends, the middle stays bent by a fifth of half a turn: seen from the armature both turn and slide.
  const poses = [0, 0.2, 0.4].map((bend) => {
    const pose = skeleton.createPose()
    const asked = new Float64Array(whole.size)
    asked[entryOf('knuckle')] = bend
    asked[entryOf('middle') + 2] = 0.2
    whole.decode(asked, pose)
    return pose
  })
  const tracks = [['rotation', 'rotations', 4] as const, ['translation', 'translations', 3] as const].flatMap(
    ([path, part, size]) =>
      skeleton.names.map(
        (_, target): ClipTrack => ({
          ...{ target, path, size, interpolation: 'STEP', times: Float32Array.of(0, 1, 2) },
          values: Float32Array.from(
            poses.flatMap((pose) => [...pose[part].subarray(size * target, size * target + size)]),
          ),
        }),
      ),
  )
  const subject = { skeleton, weights: new Float64Array(skeleton.jointCount).fill(1), height: 2 }
  const clips: Clip[] = [{ name: 'bend', duration: 2, tracks }]
  const code = chooseJointCode(subject, clips, { carriers: CARRIERS, joints: ['knuckle'], framesPerSecond: 1 })
  expect(code.describe().joints).toEqual([{ name: 'knuckle', rotation: 'x', translation: '' }])
  const pose = skeleton.createPose()
  code.decode([0.4], pose)
  expect(off(matricesOf(skeleton, pose), matricesOf(skeleton, poses[2]))).toBeLessThan(1e-5)
  expect(code.dropped.filter(({ what }) => what === 'translation')).toEqual([])
})

describe('carriers are refused in one line', () => {
  const random = randomStream(44)
  const skeleton = flatSkeleton(random)
  const message = (change: (carriers: Int32Array) => void, of = skeleton, bases?: Float64Array): string => {
    const carriers = CARRIERS.slice()
    change(carriers)
    try {
      wholeCode(of, { carriers, bases })
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  const at = (name: string): number => skeleton.jointNamed(name)

  it.each([
    ['beyond the joints', 'tip', 99, "joint 2 ('tip') is carried by 99; give its parent, 1, or both below the root."],
    ['before the first', 'tip', -1, "joint 2 ('tip') is carried by -1; give its parent"],
    ['not below the root', 'tip', 0, "joint 2 ('tip') is carried by 0; give its parent"],
    ['of a joint that is not below the root', 'armature', 5, "joint 1 ('armature') is carried by 5; give its parent"],
    ['itself', 'tip', 2, "joint 'tip' is carried in a circle; give carriers that end."],
    ['in a circle', 'wrist', 2, "joint 'tip' is carried in a circle; give carriers that end."],
  ])('%s', (_, name, carrier, due) => {
    const told = message((carriers) => {
      carriers[at(name)] = carrier
    })
    expect(told).toContain(`joint code: ${due}`)
    expect(told).not.toContain('\n')
  })

  it('if they are too few, would shear, or have no size or no axes', () => {
    const none = (): void => {}
    expect(() => wholeCode(skeleton, { carriers: CARRIERS.slice(1) })).toThrow('12 carriers for 13 joints; give one')
    const uneven = flatSkeleton(random, { ring: [1, 2, 1] })
    expect(message(none, uneven)).toMatch(/^joint code: joint 'sleeve' hangs from 'ring', which is scaled unevenly at/)
    const flat = flatSkeleton(random, { middle: [1, 0, 1] })
    expect(message(none, flat)).toMatch(/^joint code: joint 'middle' has a scale of zero at rest; apply scales, or/)
    const bases = quaternions(random, skeleton.jointCount)
    bases.fill(0, 8, 12)
    expect(message(none, skeleton, bases)).toMatch(/^joint code: the axes of joint 2 are no rotation; give a unit/)
    const pose = skeleton.createPose()
    pose.scales.fill(0, 3 * at('knuckle'), 3 * at('knuckle') + 3)
    const code = wholeCode(skeleton, { carriers: CARRIERS })
    expect(() => code.encode(pose, new Float64Array(code.size))).toThrow("joint 'knuckle' has no size or is not finite")
  })
})
