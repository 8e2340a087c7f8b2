/** Rigid motions must come out exactly from every method; twists tell the methods apart. */
import { Matrix4, Quaternion, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../../src/math/random.js'
import { applyMorphTargets, type SkinnedSurface, skinMatrices } from '../../src/model/skinned-surface.js'
import { SKINNING } from '../../src/model/skinning.js'

/** Points with two or, if asked for, eight bones each. */
function surfaceOf(points: number[], perVertex: { bone: number; weight: number }[][]): SkinnedSurface {
  const bones = 1 + Math.max(...perVertex.flat().map(({ bone }) => bone))
  const starts = [0]
  for (const influences of perVertex) starts.push(starts.at(-1)! + influences.length)
  return {
    bound: Float64Array.from(points),
    triangles: new Uint32Array(0),
    bones: {
      joints: Uint16Array.from({ length: bones }, (_, i) => i),
      inverseBind: Float64Array.from(Array.from({ length: bones }, () => new Matrix4().elements).flat()),
    },
    influenceStarts: Uint32Array.from(starts),
    influenceBones: Uint16Array.from(perVertex.flat().map(({ bone }) => bone)),
    influenceWeights: Float32Array.from(perVertex.flat().map(({ weight }) => weight)),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}

function randomMotion(random: ReturnType<typeof randomStream>): Matrix4 {
  const rotation = new Quaternion(random.normal(), random.normal(), random.normal(), random.normal()).normalize()
  return new Matrix4().compose(
    new Vector3(random.normal(), random.normal(), random.normal()),
    rotation,
    new Vector3(1, 1, 1),
  )
}

const flat = (...matrices: Matrix4[]) => Float64Array.from(matrices.flatMap((matrix) => matrix.elements))

describe.each(['linear', 'dual-quaternion'] as const)('%s', (method) => {
  it('moves a vertex rigidly when all its bones move alike, scale included (seed 11)', () => {
    const random = randomStream(11)
    const shares = [0.3, 0.2, 0.125, 0.125, 0.1, 0.05, 0.05, 0.05]
    const surface = surfaceOf([1, 2, 3], [shares.map((weight, bone) => ({ bone, weight }))])
    for (const scale of [new Vector3(1, 1, 1), new Vector3(2, 0.5, 1), new Vector3(-1, 1, 1)]) {
      const motion = randomMotion(random).multiply(new Matrix4().makeScale(scale.x, scale.y, scale.z))
      const out = new Float64Array(3)
      SKINNING[method](surface, flat(...shares.map(() => motion)), surface.bound, out)
      const expected = new Vector3(1, 2, 3).applyMatrix4(motion).toArray()
      for (let k = 0; k < 3; k++) expect(out[k]).toBeCloseTo(expected[k], 6)
    }
  })

  it('moves vertices that are next to each other next to each other, whichever sign their quaternions have', () => {
    const [a, b] = [new Matrix4(), new Matrix4().makeRotationX(Math.PI * 0.9)]
    const weights = Array.from({ length: 101 }, (_, i) => i / 100)
    const surface = surfaceOf(
      weights.flatMap(() => [0, 0, 1]),
      weights.map((w) =>
        [
          { bone: 0, weight: w },
          { bone: 1, weight: 1 - w },
        ].sort((x, y) => y.weight - x.weight),
      ),
    )
    const out = new Float64Array(surface.bound.length)
    SKINNING[method](surface, flat(a, b), surface.bound, out)
    for (let i = 3; i < out.length; i += 3) {
      const step = Math.hypot(out[i] - out[i - 3], out[i + 1] - out[i - 2], out[i + 2] - out[i - 1])
      expect(step).toBeLessThan(0.15)
    }
  })
})

it('keeps the radius of a twisted limb with dual quaternions, where linear blending loses it', () => {
  const twist = new Matrix4().makeRotationX(Math.PI * 0.8)
  const half = [
    { bone: 0, weight: 0.5 },
    { bone: 1, weight: 0.5 },
  ]
  const surface = surfaceOf([2, 1, 0, 2, 0, 1], [half, half])
  const radius = (method: 'linear' | 'dual-quaternion') => {
    const out = new Float64Array(6)
    SKINNING[method](surface, flat(new Matrix4(), twist), surface.bound, out)
    return Math.hypot(out[1], out[2])
  }
  expect(radius('dual-quaternion')).toBeCloseTo(1, 9)
  expect(radius('linear')).toBeCloseTo(Math.cos(Math.PI * 0.4), 9)
})

it('blends bones half way as the half of a screw motion (seed 12)', () => {
  const random = randomStream(12)
  const motion = randomMotion(random)
  const half = [
    { bone: 0, weight: 0.5 },
    { bone: 1, weight: 0.5 },
  ]
  const surface = surfaceOf([0.3, -1, 2], [half])
  const once = new Float64Array(3)
  SKINNING['dual-quaternion'](surface, flat(new Matrix4(), motion), surface.bound, once)
  // Half a screw motion, done twice, is the whole.
  const twice = new Float64Array(3)
  SKINNING['dual-quaternion'](surface, flat(new Matrix4(), motion), once, twice)
  const expected = new Vector3(0.3, -1, 2).applyMatrix4(motion).toArray()
  for (let k = 0; k < 3; k++) expect(twice[k]).toBeCloseTo(expected[k], 9)
})

it('blends rotations of 170 and 190 degrees to 180, though their quaternions are opposite', () => {
  const turned = (degrees: number) => new Matrix4().makeRotationX((degrees * Math.PI) / 180)
  for (const [a, b, middle] of [
    [170, 190, 180],
    [190, 170, 180],
    [-100, 280, -90],
    [350, 20, 5],
  ]) {
    // Moved as well: the dual part must follow the sign of the real one.
    const lift = new Matrix4().makeTranslation(3, 0, 0)
    const half = [
      { bone: 0, weight: 0.5 },
      { bone: 1, weight: 0.5 },
    ]
    const surface = surfaceOf([0, 1, 0], [half])
    const out = new Float64Array(3)
    const motions = flat(lift.clone().multiply(turned(a)), lift.clone().multiply(turned(b)))
    SKINNING['dual-quaternion'](surface, motions, surface.bound, out)
    const angle = (middle * Math.PI) / 180
    const expected = [3, Math.cos(angle), Math.sin(angle)]
    for (let k = 0; k < 3; k++) expect(out[k], `${a} and ${b} degrees`).toBeCloseTo(expected[k], 9)
  }
})

it('applies bind matrices before and morph targets first of all', () => {
  const surface = surfaceOf([1, 0, 0], [[{ bone: 0, weight: 1 }]])
  surface.bones.inverseBind.set(new Matrix4().makeTranslation(-1, 0, 0).elements)
  surface.morphTargets.push({ name: 'm', vertices: Uint32Array.of(0), offsets: Float64Array.of(0, 2, 0) })
  const skin = new Float64Array(16)
  skinMatrices(surface.bones, flat(new Matrix4().makeRotationZ(Math.PI / 2)), skin)
  const out = new Float64Array(3)
  applyMorphTargets(surface, [0.5], out)
  SKINNING.linear(surface, skin, out, out)
  for (const [k, expected] of [-1, 0, 0].entries()) expect(out[k]).toBeCloseTo(expected, 12)
})
