/**
 * A rig gives the same result in whatever unit it was made: joints in centimetres under an armature of 0.01, as Mixamo and
 * most FBX exporters have it, scales on root or joints, uneven ones too, bodies of millimetres and of kilometres.
 */

import { fitBones } from '@pliant/train/unstable'
import { decode, load } from 'pliant'
import { sampleClip } from 'pliant/character'
import { BoneDrivers, createCharacter, makePosedBones, poseBones } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { even, type ScaledTube, scaledTube } from './scaled-tube.js'
import { trainRig } from './train-rig.js'

const one = even(1)
const RIGS: Record<string, ScaledTube> = {
  'joints in centimetres under an armature of 0.01': { bound: 100, scales: [even(0.01), one, one, one] },
  'vertices in metres, joints in centimetres': { scales: [even(0.01), one, one, one] },
  'joints in millimetres under a root of 0.001': { bound: 1000, scales: [one, even(0.001), one, one] },
  'joints in kilometres': { scales: [even(1000), one, one, one] },
  'a scale on every joint': { scales: [even(10), even(0.1), even(30), even(0.02)] },
  'uneven scales on armature and joints': { scales: [[0.01, 0.01, 0.03], one, [5, 5, 0.5], [2, 3, 0.2]] },
  'a mirrored armature': { scales: [[1, 1, -1], one, one, one] },
  'a body of millimetres': { world: 0.001, bound: 0.001 },
  'a body of kilometres': { world: 1000 },
}

/** All that training and queries see of a rig, bent halfway, in units of the tube's own size. */
function seenOf(tube: ScaledTube) {
  const rig = scaledTube(tube)
  const { skeleton } = rig
  const { world = 1 } = tube
  const character = createCharacter(rig, rig.clips)
  const bones = fitBones(character, { margin: 0.1 * world })
  const pose = skeleton.createPose()
  sampleClip(skeleton, rig.clips[0], 0.5, pose)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  skeleton.matrices(pose, matrices)
  const posed = makePosedBones(bones.length)
  poseBones({ bones } as Parameters<typeof poseBones>[0], matrices, posed)
  const drivers = new Float32Array(24 * bones.length)
  new BoneDrivers(skeleton, bones).write(pose, drivers)
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, positions)
  const inUnits = (values: Iterable<number>) => Array.from(values, (value) => value / world)
  return {
    height: rig.height / world,
    positions: inUnits(positions),
    parts: inUnits(bones.flatMap(({ centre, half, start, end, radius }) => [centre, half, start, end, radius].flat())),
    nodes: bones.flatMap((bone) => [...bone.nodes]),
    segments: inUnits(posed.segments),
    toBox: Array.from(posed.toBox, (value, i) => (i % 4 === 3 ? value : value * world)),
    drivers: [...drivers],
  }
}

describe('bones, boxes and shapes are those of the rig in metres', () => {
  it.each(Object.entries(RIGS))('%s', (name, tube) => {
    const [expected, got] = [seenOf({}), seenOf(tube)]
    const all = Object.keys(expected) as (keyof typeof expected)[]
    // A mirrored joint's frame has its x axis the other way round, and with it its boxes: no less right, but not the same.
    const alike = name === 'a mirrored armature' ? (['height', 'positions', 'segments'] as const) : all
    for (const key of alike) {
      const [a, b] = [[expected[key]].flat(), [got[key]].flat()]
      expect(b.length, key).toBe(a.length)
      for (let i = 0; i < a.length; i++) expect(b[i], `${key}[${i}]`).toBeCloseTo(a[i], 5)
    }
  })
})

const QUICK = {
  name: 'tube',
  poses: 12,
  pointsPerPose: 150,
  steps: 30,
  resolution: 8,
  threads: 1,
  evaluation: { poses: 3, points: 300 },
} as const
/** Beside the bent tube and in it, in its own size. */
const POINTS = Float64Array.of(0.5, 0.4, 0, 0.45, 1.5, 0.1, -0.4, 1.6, 0.2, 0.2, 2.2, 0.35, 0, 1, 0.1, 0.9, 2.4, 0)

async function train(tube: ScaledTube) {
  const { artifact: bytes, quality } = await trainRig(scaledTube(tube), QUICK)
  const { world = 1 } = tube
  const artifact = await decode(bytes, 'character')
  const field = await load(artifact)
  const distances = new Float64Array(POINTS.length / 3)
  field.update(field.skeleton.stateOf(artifact.heldOut[0]))
  field.query(
    POINTS.map((value) => world * value),
    distances.length,
    distances,
  )
  field.dispose()
  return {
    error: quality.bandError.mean / quality.size,
    largest: quality.bandError.max / quality.size,
    sign: quality.signAccuracy,
    distances: distances.map((value) => value / world),
  }
}

describe('trains to the same result as in metres', () => {
  const inMetres = train({})

  it('which is one: errors are far below the radius of the tube', async () => {
    const { error, sign, distances } = await inMetres
    expect(error).toBeLessThan(0.015)
    expect(sign).toBeGreaterThan(0.97)
    expect(distances[4]).toBeLessThan(-0.1)
  })

  it.each(['joints in centimetres under an armature of 0.01', 'a scale on every joint'])('%s', async (name) => {
    const [expected, got] = [await inMetres, await train(RIGS[name])]
    expect(Math.abs(got.error / expected.error - 1)).toBeLessThan(0.01)
    expect(Math.abs(got.sign - expected.sign)).toBeLessThan(0.01)
    for (const [i, distance] of got.distances.entries()) expect(distance).toBeCloseTo(expected.distances[i], 3)
  })

  // A power of two changes no digit of any number: what differs at all has met a constant in metres on its way.
  it.each([2 ** -10, 2 ** 10])('to the last bit at %d times the size', async (world) => {
    const [expected, got] = [await inMetres, await train({ world, bound: world })]
    expect(got.error).toBe(expected.error)
    expect(got.largest).toBe(expected.largest)
    expect(got.distances).toEqual(expected.distances)
  })
})
