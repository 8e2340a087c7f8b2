import { randomStream } from 'pliant'
import { type Clip, Skeleton, type SkinnedCharacter, type SkinnedSurface } from 'pliant/character'
import { createCharacter } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { foldingTube } from '../../../pliant/test/artifact/folding-tube.js'
import { addJointNoise, type ClipPose, clipFrames, drawClipPoses, splitClips } from '../../src/poses/clip-poses.js'

const DEGREE = Math.PI / 180

/** root > a > b > c, one vertex each; `hand` hangs from c and is not in the code. */
const names = ['root', 'a', 'b', 'c', 'hand']
const skeleton = new Skeleton({
  names,
  parents: Int32Array.of(-1, 0, 1, 2, 3),
  root: 0,
  rest: {
    translations: Float64Array.from({ length: 15 }, (_, i) => (i % 3 === 1 ? 1 : 0)),
    rotations: Float64Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    scales: new Float64Array(15).fill(1),
  },
})
const surface: SkinnedSurface = {
  bound: new Float64Array(15),
  triangles: Uint32Array.of(0, 1, 2),
  bones: {
    joints: Uint16Array.of(0, 1, 2, 3, 4),
    inverseBind: Float64Array.from({ length: 80 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0)),
  },
  influenceStarts: Uint32Array.of(0, 1, 2, 3, 4, 5),
  influenceBones: Uint16Array.of(0, 1, 2, 3, 4),
  influenceWeights: new Float32Array(5).fill(1),
  morphTargets: [],
  morphWeights: new Float64Array(0),
  meshes: [],
}

/** Turns joints about x, from 0 to the given angle [degrees]. */
function swing(name: string, angles: Record<string, number>, keys = 2): Clip {
  const times = Float32Array.from({ length: keys }, (_, i) => i / (keys - 1))
  const tracks = Object.entries(angles).map(([joint, angle]) => ({
    target: names.indexOf(joint),
    path: 'rotation' as const,
    interpolation: 'LINEAR' as const,
    size: 4,
    times,
    values: Float32Array.from(times, (t) => (t * angle * DEGREE) / 2).reduce<Float32Array>(
      (all, half, i) => {
        all.set([Math.sin(half), 0, 0, Math.cos(half)], 4 * i)
        return all
      },
      new Float32Array(4 * keys),
    ),
  }))
  return { name, duration: 1, tracks }
}

const clips = [swing('bow', { a: 60, b: 40, hand: 30 }), swing('kick', { c: -80 }), swing('still', { b: 0.5 })]
const character: SkinnedCharacter = createCharacter({ skeleton, surface, clips, height: 4 })
const draw = (options = {}) => drawClipPoses(character, clips, { count: 200, seed: 1, ...options })
const isNear = (a: ClipPose, b: ClipPose, degrees: number) =>
  a.code.every((value, i) => Math.abs(value - b.code[i]) * 180 <= degrees)

it('mixes frames, blends and noise in the shares asked for, at the start of the list as well', () => {
  const poses = draw({ duplicate: 0.1 * DEGREE })
  for (const part of [poses, poses.slice(0, 20)]) {
    const count = (kind: string) => part.filter((pose) => pose.kind === kind).length / part.length
    expect(count('blend')).toBeCloseTo(0.2, 1)
    expect(count('frame') + count('noise')).toBeCloseTo(0.8, 1)
  }
  expect(draw({ shares: { frames: 0, blends: 1, noise: 0 } }).every(({ kind }) => kind === 'blend')).toBe(true)
})

it('takes no frame twice, the most different first, and noise where frames run out', () => {
  const poses = draw({ shares: { frames: 1, blends: 0, noise: 0 } })
  const frames = poses.filter(({ kind }) => kind === 'frame')
  expect(frames.length).toBeGreaterThan(20)
  expect(frames.length).toBeLessThan(93)
  expect(poses.slice(frames.length).every(({ kind }) => kind === 'noise')).toBe(true)
  frames.forEach((frame, i) => {
    expect(frames.slice(0, i).some((other) => isNear(frame, other, 2 - 1e-6))).toBe(false)
  })
  // Both ends of the large motions are among the first few.
  const first = frames.slice(0, 3).map(({ clips: [clip] }) => clip)
  expect(new Set(first)).toEqual(new Set(['bow', 'kick']))
})

it('leaves out no frame that is different from all it takes', () => {
  const taken = draw({ count: 400, shares: { frames: 1, blends: 0, noise: 0 } }).filter(({ kind }) => kind === 'frame')
  for (const frame of clipFrames(character, clips, 30)) {
    expect(taken.some((other) => isNear(frame, other, 2 + 1e-6))).toBe(true)
  }
})

it('blends frames of different clips', () => {
  const blends = draw().filter(({ kind }) => kind === 'blend')
  expect(blends.every(({ clips: [from, to] }) => from !== to)).toBe(true)
  // Half a bow with half a kick is in no clip.
  const [a, c] = ['a', 'c'].map((name) => character.code.joints.indexOf(names.indexOf(name)))
  expect(blends.some(({ code }) => code[a] > 0.05 && code[c] < -0.05)).toBe(true)
})

it('turns joints by 20 degrees of noise on the mean, within the bounds, and nothing outside the code', () => {
  const poses = draw({ count: 600, shares: { frames: 0, blends: 0, noise: 1 } })
  const { lower, upper } = character.bounds
  for (const { code } of poses) {
    code.forEach((value, i) => {
      expect(value).toBeGreaterThanOrEqual(lower[i] - 1e-9)
      expect(value).toBeLessThanOrEqual(upper[i] + 1e-9)
    })
  }
  const free = createCharacter({ skeleton, surface, clips, height: 4 }, clips, {
    joints: ['a', 'b', 'c'],
    still: -1,
    margin: 3,
  })
  const [rest] = clipFrames(free, clips, 1)
  const random = randomStream(4)
  const noisy = Array.from({ length: 2000 }, () => addJointNoise(free, rest, 20 * DEGREE, random))
  const square = noisy.reduce((sum, { code }) => sum + (180 * Math.hypot(code[0], code[1], code[2])) ** 2, 0)
  expect(Math.sqrt(square / 2000)).toBeGreaterThan(19)
  expect(Math.sqrt(square / 2000)).toBeLessThan(21)
  const hand = 4 * names.indexOf('hand')
  const hands = noisy.map(({ pose }) => [...pose.rotations.subarray(hand, hand + 4)])
  expect(new Set(hands.map(String)).size).toBe(1)
})

it('takes along what noisy joints carry, wherever that hangs in the file', () => {
  const flat = foldingTube('flat')
  const rest: ClipPose = { kind: 'frame', clips: [], pose: flat.skeleton.createPose(), code: new Float64Array(3) }
  const noisy = addJointNoise(flat as never, rest, 20 * DEGREE, randomStream(6))
  expect(Math.hypot(...noisy.code)).toBeGreaterThan(0.02)
  const [due, found] = [0, 1].map(() => new Float64Array(3 * flat.vertexCount))
  flat.positions(noisy.code, due)
  flat.positionsOfPose(noisy.pose, found)
  expect(Math.max(...due.map((value, i) => Math.abs(value - found[i])))).toBeLessThan(1e-12)
})

it('gives the same poses for a seed, whatever their number, and others for another', () => {
  expect(draw({ count: 50 })).toEqual(draw({ count: 200 }).slice(0, 50))
  expect(draw({ seed: 2 })).not.toEqual(draw())
})

it('never touches clips that are held out', () => {
  const { train, heldOut } = splitClips(clips, ['kick'], 1)
  expect([train.map(({ name }) => name), heldOut.map(({ name }) => name)]).toEqual([['bow', 'still'], ['kick']])
  const trained = createCharacter({ skeleton, surface, clips, height: 4 }, train)
  expect(drawClipPoses(trained, train, { count: 100, seed: 1 }).some((pose) => pose.clips.includes('kick'))).toBe(false)
  // The kick's joint moves in no other clip, so a code that knew it would have looked.
  expect(trained.code.joints.includes(names.indexOf('c'))).toBe(false)
})

it('holds out a share by the seed, and always leaves something on both sides', () => {
  const many = Array.from({ length: 10 }, (_, i) => swing(`clip${i}`, { a: i }))
  const { train, heldOut } = splitClips(many, 0.2, 7)
  expect([train.length, heldOut.length]).toEqual([8, 2])
  expect(splitClips(many, 0.2, 7)).toEqual({ train, heldOut })
  expect(splitClips(clips.slice(0, 2), 0.01, 1).heldOut.length).toBe(1)
  expect(splitClips(clips.slice(0, 1), 0.5, 1).train.length).toBe(1)
  expect(() => splitClips(clips, 1, 1)).toThrow('all 3 clips are held out')
  expect(() => splitClips(clips, ['jump'], 1)).toThrow("no clip 'jump' to hold out; choose from bow, kick, still.")
})

it('says so when there are no clips', () => {
  expect(() => drawClipPoses(character, [], { count: 1, seed: 1 })).toThrow('no clips to train on')
})
