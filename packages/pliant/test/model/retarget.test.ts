import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { type BvhMotion, readBvhMotion } from '../../src/files/bvh-motion.js'
import { readGltf } from '../../src/files/gltf.js'
import { multiplyQuaternions, quaternionOfVector, rotateVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { sampleClip } from '../../src/model/clip.js'
import { retargetMotion } from '../../src/model/retarget.js'
import { rigFromScene } from '../../src/model/rig.js'
import { Skeleton } from '../../src/model/skeleton.js'

const folder = new URL('../../../../../shared/data/', import.meta.url)

/** Direction from joint to joint in the world, of the skeleton playing a clip. */
function boneDirections(skeleton: Skeleton, clip: Parameters<typeof sampleClip>[1], time: number, bones: string[][]) {
  const pose = skeleton.createPose()
  sampleClip(skeleton, clip, time, pose)
  const world = new Float64Array(16 * skeleton.jointCount)
  skeleton.worldMatrices(pose, world)
  return bones.map(([from, to]) => {
    const [a, b] = [skeleton.jointNamed(from), skeleton.jointNamed(to)]
    return unit([0, 1, 2].map((k) => world[16 * b + 12 + k] - world[16 * a + 12 + k]))
  })
}

/** The same of the recorded body. */
function recordedDirections(motion: BvhMotion, frame: number, bones: string[][]) {
  const count = motion.joints.length
  const turns = new Float64Array(4 * count)
  const places = new Float64Array(3 * count)
  motion.joints.forEach(({ parent }, joint) => {
    const at = frame * count + joint
    const own = Float64Array.from(motion.rotations.subarray(4 * at, 4 * at + 4))
    const step = Float64Array.from(motion.translations.subarray(3 * at, 3 * at + 3))
    if (parent >= 0) {
      multiplyQuaternions(turns, 4 * parent, own, 0, own, 0)
      rotateVector(turns, 4 * parent, step, 0, step, 0)
      for (let k = 0; k < 3; k++) step[k] += places[3 * parent + k]
    }
    turns.set(own, 4 * joint)
    places.set(step, 3 * joint)
  })
  const number = (name: string) => motion.joints.findIndex((joint) => joint.name === name)
  return bones.map(([from, to]) =>
    unit([0, 1, 2].map((k) => places[3 * number(to) + k] - places[3 * number(from) + k])),
  )
}

function unit(v: number[]): number[] {
  const length = Math.hypot(...v)
  return v.map((value) => value / length)
}

function degreesBetween(a: number[], b: number[]): number {
  const cosine = a.reduce((sum, value, k) => sum + value * b[k], 0)
  return (Math.acos(Math.min(1, cosine)) * 180) / Math.PI
}

/** hips > spine > { arm > fore > hand } and hips > leg > foot. */
const NAMES = ['armature', 'hips', 'spine', 'arm', 'fore', 'hand', 'leg', 'foot']
const PARENTS = Int32Array.of(-1, 0, 1, 2, 3, 4, 1, 6)

/** World places as given; each joint's axes turned at random, as modelling programs leave them. */
function skeletonAt(places: number[][], seed: number): Skeleton {
  const random = randomStream(seed)
  const world = new Float64Array(32)
  const rest = {
    translations: new Float64Array(24),
    rotations: new Float64Array(32),
    scales: new Float64Array(24).fill(1),
  }
  NAMES.forEach((_, joint) => {
    const turn = Float64Array.of(0, 0, 0, 1)
    quaternionOfVector([random.normal(), random.normal(), random.normal()], 0, turn, 0)
    world.set(turn, 4 * joint)
    const parent = PARENTS[joint]
    const parentTurn = parent < 0 ? Float64Array.of(0, 0, 0, 1) : world.slice(4 * parent, 4 * parent + 4)
    const inverse = Float64Array.of(-parentTurn[0], -parentTurn[1], -parentTurn[2], parentTurn[3])
    multiplyQuaternions(inverse, 0, turn, 0, rest.rotations, 4 * joint)
    const step = Float64Array.from(places[joint], (value, k) => value - (parent < 0 ? 0 : places[parent][k]))
    rotateVector(inverse, 0, step, 0, rest.translations, 3 * joint)
  })
  return new Skeleton({ names: NAMES, parents: PARENTS, root: 1, rest })
}

// Arms hang, elbows bent forward; the recorded body stands with arms out to the sides.
const HANGING = [
  [5, 0, 0],
  [5, 1, 0],
  [5, 1.3, 0],
  [5.2, 1.5, 0],
  [5.35, 1.25, 0],
  [5.45, 1.15, 0.15],
  [5.1, 0.9, 0],
  [5.1, 0.1, 0],
]

function recorded(frames = 5, seed = 3): BvhMotion {
  const random = randomStream(seed)
  const joints = [
    { name: 'hips', parent: -1, offset: [0, 0, 0] },
    { name: 'spine', parent: 0, offset: [0, 3, 0] },
    { name: 'arm', parent: 1, offset: [2, 2, 0] },
    { name: 'fore', parent: 2, offset: [3, 0, 0] },
    { name: 'hand', parent: 3, offset: [2.5, 0, 0] },
    { name: 'leg', parent: 0, offset: [1, -1, 0] },
    { name: 'foot', parent: 5, offset: [2, -7, 0] },
    { name: 'tail', parent: 0, offset: [0, 0, -1] },
  ].map((joint) => ({ ...joint, offset: joint.offset as [number, number, number], endSite: undefined }))
  const rotations = new Float32Array(4 * joints.length * frames)
  const translations = new Float32Array(3 * joints.length * frames)
  for (let i = 0; i < joints.length * frames; i++) {
    const still = i < joints.length
    quaternionOfVector(still ? [0, 0, 0] : [random.normal(), random.normal(), random.normal()], 0, rotations, 4 * i)
    translations.set(i % joints.length === 0 ? [i, 10, 0] : joints[i % joints.length].offset, 3 * i)
  }
  return { joints, frameCount: frames, frameTime: 0.1, rotations, translations }
}

const LIMBS = [
  ['arm', 'fore'],
  ['fore', 'hand'],
  ['leg', 'foot'],
]

describe('a skeleton in another rest pose', () => {
  const skeleton = skeletonAt(HANGING, 9)
  const motion = recorded()

  it.each(['none', 0, 2] as const)('points its limbs where the recorded body does (reference %s)', (reference) => {
    const { clip } = retargetMotion(skeleton, motion, { reference })
    for (let frame = 0; frame < motion.frameCount; frame++) {
      const own = boneDirections(skeleton, clip, 0.1 * frame, LIMBS)
      const theirs = recordedDirections(motion, frame, LIMBS)
      own.forEach((direction, i) => {
        expect(degreesBetween(direction, theirs[i]), `${LIMBS[i]} at frame ${frame}`).toBeLessThan(0.1)
      })
    }
  })

  it('straightens a bent elbow about its own hinge: no twist but that of the bones', () => {
    const { clip } = retargetMotion(skeleton, motion, { reference: 'none' })
    const pose = skeleton.createPose()
    sampleClip(skeleton, clip, 0, pose)
    const world = new Float64Array(16 * skeleton.jointCount)
    skeleton.worldMatrices(pose, world)
    const restWorld = new Float64Array(16 * skeleton.jointCount)
    skeleton.worldMatrices(skeleton.rest, restWorld)
    // What was up on the bent elbow's hinge axis stays on it, seen from the upper arm.
    const [upper, lower] = [3, 4].map((joint) => [HANGING[joint], HANGING[joint + 1]])
    const span = ([a, b]: number[][]) => a.map((value, k) => b[k] - value)
    const hinge = unit(cross(span(upper), span(lower)))
    const carried = [3, 4].map((joint) => turnedBy(restWorld, world, joint, hinge))
    expect(degreesBetween(carried[0], carried[1])).toBeLessThan(0.1)
  })

  it('keeps the spine as it was drawn, and the path of the hips in its own size', () => {
    const { clip } = retargetMotion(skeleton, motion, { reference: 'none' })
    const [spine] = boneDirections(skeleton, clip, 0, [['hips', 'spine']])
    expect(degreesBetween(spine, [0, 1, 0])).toBeLessThan(0.1)
    const pose = skeleton.createPose()
    sampleClip(skeleton, clip, 0.2, pose)
    const frame = new Float64Array(16)
    skeleton.rootFrame(pose, frame)
    // 10 high in a body of 24 units of bone, in one of about 2 m.
    expect(frame[13]).toBeGreaterThan(0.7)
    expect(frame[13]).toBeLessThan(1.5)
  })

  it('says which joints had no partner', () => {
    const without = { ...motion, joints: motion.joints.map((joint) => ({ ...joint })) }
    without.joints[4].name = 'grabber'
    const { missing, unused, clip } = retargetMotion(skeleton, without)
    expect(missing).toEqual(['hand'])
    expect(unused).toEqual(['grabber', 'tail'])
    expect(clip.tracks.some(({ target }) => target === skeleton.jointNamed('hand'))).toBe(false)
    const aliased = retargetMotion(skeleton, without, { aliases: { grabber: 'hand' } })
    expect(aliased.missing).toEqual([])
  })

  it('finds names behind prefixes and in other cases', () => {
    const prefixed = {
      ...motion,
      joints: motion.joints.map((joint) => ({ ...joint, name: `rig:${joint.name.toUpperCase()}` })),
    }
    expect(retargetMotion(skeleton, prefixed).missing).toEqual([])
  })

  it('refuses motion of another kind of body, and frames that are not there', () => {
    const strange = { ...motion, joints: motion.joints.map((joint, i) => ({ ...joint, name: `bone${i}` })) }
    expect(() => retargetMotion(skeleton, strange)).toThrow("no joint of the motion ('bone0', ...)")
    expect(() => retargetMotion(skeleton, motion, { firstFrame: 5 })).toThrow('first frame 5 of 5')
    expect(() => retargetMotion(skeleton, motion, { reference: -1 })).toThrow('reference frame -1 of 5')
  })
})

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/** A world direction that is fixed to the joint, before and after. */
function turnedBy(before: Float64Array, after: Float64Array, joint: number, direction: number[]): number[] {
  const local = [0, 1, 2].map((c) =>
    direction.reduce((sum, value, k) => sum + value * before[16 * joint + 4 * c + k], 0),
  )
  return [0, 1, 2].map((k) => local.reduce((sum, value, c) => sum + value * after[16 * joint + 4 * c + k], 0))
}

describe.skipIf(!existsSync(folder))('CMU motion on the body that is named as it is', () => {
  const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)))
  const load = (name: string) => {
    const { skeleton } = rigFromScene(readGltf(bytesOf('rig-makehuman-cmu31.glb')))
    const motion = readBvhMotion(bytesOf(`bvh/${name}.bvh`))
    return { skeleton, motion, ...retargetMotion(skeleton, motion) }
  }

  test.each(['05_01', '13_29', '60_01'])('%s: all joints are found, and limbs point as recorded', (name) => {
    const { skeleton, motion, clip, missing, unused, reference } = load(name)
    expect(reference).toMatchObject({ frame: 0, firstFrame: 1 })
    expect([missing, unused]).toEqual([[], []])
    const limbs = ['Left', 'Right'].flatMap((side) => [
      [`${side}Arm`, `${side}ForeArm`],
      [`${side}ForeArm`, `${side}Hand`],
      [`${side}UpLeg`, `${side}Leg`],
      [`${side}Leg`, `${side}Foot`],
    ])
    for (const frame of [1, 100, 333, 500]) {
      const own = boneDirections(skeleton, clip, (frame - 1) * motion.frameTime, limbs)
      const theirs = recordedDirections(motion, frame, limbs)
      own.forEach((direction, i) => {
        expect(degreesBetween(direction, theirs[i]), `${limbs[i]} at frame ${frame}`).toBeLessThan(0.5)
      })
    }
  })

  test('the walk keeps its soles on the ground and its head up', () => {
    const { skeleton, clip } = load('05_01')
    const pose = skeleton.createPose()
    const world = new Float64Array(16 * skeleton.jointCount)
    const heights: number[] = []
    for (let time = 0.5; time < 4.5; time += 0.05) {
      sampleClip(skeleton, clip, time, pose)
      skeleton.worldMatrices(pose, world)
      const height = (joint: string) => world[16 * skeleton.jointNamed(joint) + 13]
      heights.push(Math.min(height('LeftToeBase'), height('RightToeBase')))
      expect(height('Head') - height('Hips')).toBeGreaterThan(0.55)
    }
    // One foot is always down; the ground is within 6 cm of the file's own.
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.08)
    expect(Math.min(...heights)).toBeGreaterThan(-0.06)
  })
})

/** A body with two arms and two legs, T-shaped at zero angles, facing +Z; `turned` puts all of it on other axes. */
function person(turned: (v: number[]) => number[] = (v) => v) {
  const rows: [string, number, number[]][] = [
    ['Hips', -1, [0, 0, 0]],
    ['Spine', 0, [0, 2, 0]],
    ['Head', 1, [0, 5, 0]],
    ...(['Left', 'Right'] as const).flatMap((side, i): [string, number, number[]][] => {
      const x = side === 'Left' ? 1 : -1
      const at = 3 + 7 * i
      return [
        [`${side}Arm`, 1, [1.5 * x, 3, 0]],
        [`${side}ForeArm`, at, [3 * x, 0, 0]],
        [`${side}Hand`, at + 1, [2.5 * x, 0, 0]],
        [`${side}UpLeg`, 0, [x, 0, 0]],
        [`${side}Leg`, at + 3, [0, -4, 0]],
        [`${side}Foot`, at + 4, [0, -4, 0]],
        [`${side}Toe`, at + 5, [0, -0.5, 1.5]],
      ]
    }),
  ]
  return rows.map(([name, parent, offset]) => ({ name, parent, offset: turned(offset) as [number, number, number] }))
}

const BONES = ['Left', 'Right'].flatMap((side) => [
  [`${side}Arm`, `${side}ForeArm`],
  [`${side}ForeArm`, `${side}Hand`],
  [`${side}UpLeg`, `${side}Leg`],
  [`${side}Foot`, `${side}Toe`],
])
const TRUNK = [...BONES, ['Hips', 'Spine'], ['Spine', 'Head'], ['RightUpLeg', 'LeftUpLeg']]

/** The same body as a skeleton, arms 40 degrees down, in metres. */
function personSkeleton(): Skeleton {
  const joints = person()
  const places: number[][] = []
  joints.forEach(({ name, parent, offset }) => {
    const drop = name.startsWith('Left') ? -0.7 : 0.7
    const isArm = /ForeArm|Hand/.test(name)
    const [x, y, z] = offset
    const own = isArm ? [x * Math.cos(drop) - y * Math.sin(drop), x * Math.sin(drop) + y * Math.cos(drop), z] : offset
    places.push(own.map((value, k) => 0.1 * value + (parent < 0 ? 0 : places[parent][k])))
  })
  const count = joints.length
  const rotations = new Float64Array(4 * count)
  for (let i = 0; i < count; i++) rotations[4 * i + 3] = 1
  const translations = Float64Array.from(
    joints.flatMap(({ parent }, i) => places[i].map((value, k) => value - (parent < 0 ? 0 : places[parent][k]))),
  )
  const rest = { translations, rotations, scales: new Float64Array(3 * count).fill(1) }
  const parents = Int32Array.from(joints, ({ parent }) => parent)
  return new Skeleton({ names: joints.map(({ name }) => name), parents, root: 0, rest })
}

/** Each frame's rotation vectors by joint name; the hips go where they are told. */
function moving(joints: ReturnType<typeof person>, frames: Record<string, number[]>[], place = [0, 9, 0]): BvhMotion {
  const rotations = new Float32Array(4 * joints.length * frames.length)
  const translations = new Float32Array(3 * joints.length * frames.length)
  frames.forEach((turns, frame) => {
    joints.forEach(({ name, parent, offset }, joint) => {
      const at = frame * joints.length + joint
      quaternionOfVector(turns[name] ?? [0, 0, 0], 0, rotations, 4 * at)
      translations.set(parent < 0 ? place : offset, 3 * at)
    })
  })
  const named = joints.map((joint) => ({ ...joint, endSite: undefined }))
  return { joints: named, frameCount: frames.length, frameTime: 0.1, rotations, translations }
}

/** Walks in small steps, leaning forward and turned half to the left, one arm up, from its first frame on. */
const inMotion = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    Hips: [0.2, 0.8 + 0.02 * i, 0],
    Spine: [0.4, 0, 0],
    LeftArm: [0, 0, 1.2 - 0.02 * i],
    RightUpLeg: [-0.5 + 0.03 * i, 0, 0],
    LeftFoot: [0.3, 0, 0],
  }))

describe('the pose to compare by', () => {
  const skeleton = personSkeleton()
  const errors = (motion: BvhMotion, result: ReturnType<typeof retargetMotion>, bones = TRUNK) => {
    const { clip, reference } = result
    return Array.from({ length: motion.frameCount - reference.firstFrame }, (_, i) => {
      const own = boneDirections(skeleton, clip, clip.tracks[0].times[i], bones)
      const theirs = recordedDirections(motion, reference.firstFrame + i, bones)
      return Math.max(...own.map((direction, k) => degreesBetween(direction, theirs[k])))
    })
  }

  it('is that of zero angles for a clip that begins in motion, none of which is left out', () => {
    const motion = moving(person(), inMotion(8))
    const result = retargetMotion(skeleton, motion)
    expect(result.reference).toMatchObject({ frame: undefined, firstFrame: 0 })
    expect(result.clip.duration).toBeCloseTo(0.7)
    expect(Math.max(...errors(motion, result))).toBeLessThan(0.1)
    // What the first frame did before it was asked whether it stands.
    const taken = retargetMotion(skeleton, motion, { reference: 'first' })
    expect(Math.max(...errors(motion, taken))).toBeGreaterThan(20)
  })

  it('is the first frame where that stands and jumps to the next, and is then left out', () => {
    const motion = moving(person(), [{ LeftUpLeg: [0, 0, 0.1], RightUpLeg: [0, 0, -0.1] }, ...inMotion(8)])
    const result = retargetMotion(skeleton, motion)
    expect(result.reference).toMatchObject({ frame: 0, firstFrame: 1 })
    expect(Math.max(...errors(motion, result, BONES))).toBeLessThan(0.1)
    const none = retargetMotion(skeleton, motion, { reference: 'none' })
    expect(none.reference.firstFrame).toBe(0)
  })

  it('is not a first frame that stands but goes on smoothly: it is part of the motion', () => {
    const walk = Array.from({ length: 8 }, (_, i) => ({ LeftArm: [0, 0, -0.05 * i], RightUpLeg: [-0.04 * i, 0, 0] }))
    const result = retargetMotion(skeleton, moving(person(), walk))
    expect(result.reference).toMatchObject({ frame: undefined, firstFrame: 0 })
  })

  it.each([
    ['its sides differ', { LeftArm: [0, 0, 1.2] }],
    ['it leans', { Hips: [0.9, 0, 0] }],
  ])('is not a first frame that jumps where %s', (_, first) => {
    const result = retargetMotion(skeleton, moving(person(), [first, ...inMotion(8)]))
    expect(result.reference).toMatchObject({ frame: undefined, firstFrame: 0 })
  })

  it.each([0.7, 2.5, -1.6])('may be told, and face any way (%s rad): limbs and trunk point as recorded', (yaw) => {
    const motion = moving(person(), [...inMotion(4), { Hips: [0, yaw, 0] }, ...inMotion(4)])
    const result = retargetMotion(skeleton, motion, { reference: 4 })
    expect(result.reference.firstFrame).toBe(0)
    expect(Math.max(...errors(motion, result))).toBeLessThan(0.1)
  })

  it('may lie along another axis of its file, whose up becomes +Y', () => {
    // z up: (x, y, z) of ours are (x, -z, y) of theirs, vectors of rotations too.
    const toZUp = ([x, y, z]: number[]) => [x, -z, y]
    const frames = inMotion(6)
    const upright = moving(person(), frames)
    const lying = moving(
      person(toZUp),
      frames.map((turns) => Object.fromEntries(Object.entries(turns).map(([name, v]) => [name, toZUp(v)]))),
      toZUp([0, 9, 0]),
    )
    const [a, b] = [upright, lying].map((motion) => retargetMotion(skeleton, motion).clip)
    a.tracks.forEach((track, i) => {
      track.values.forEach((value, k) => {
        expect(b.tracks[i].values[k], `track ${i}`).toBeCloseTo(value, 4)
      })
    })
  })

  it('refuses motion whose left is the right of the skeleton, as seen from its toes', () => {
    const mirrored = person(([x, y, z]) => [-x, y, z])
    expect(() => retargetMotion(skeleton, moving(mirrored, inMotion(4)))).toThrow("left is the skeleton's right")
  })
})

describe('the share of the surface that is moved', () => {
  const skeleton = personSkeleton()
  const without = (...names: string[]) => {
    const motion = moving(person(), inMotion(4))
    return {
      ...motion,
      joints: motion.joints.map((j) => (names.includes(j.name) ? { ...j, name: `gizmo ${names.indexOf(j.name)}` } : j)),
    }
  }

  it('counts joints by what they move, and leaves out toes and the root itself', () => {
    const weights = skeleton.names.map((name) => (name === 'Hips' ? 100 : name === 'Spine' ? 4 : 1))
    const all = retargetMotion(skeleton, without(), { weights })
    expect([all.share, all.missing]).toEqual([1, []])
    const toes = retargetMotion(skeleton, without('LeftToe', 'RightToe'), { weights })
    expect([toes.share, toes.missing]).toEqual([1, ['LeftToe', 'RightToe']])
    const arm = retargetMotion(skeleton, without('LeftArm', 'LeftForeArm', 'LeftHand'), { weights })
    expect(arm.share).toBeCloseTo(1 - 3 / 17)
  })
})
