/** Gradients by codes against central differences; a few vertices as all of them have it. */
import { describe, expect, it } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { JointCode } from '../../src/model/joint-code.js'
import { LinearModes } from '../../src/model/linear-modes.js'
import { movedPoints } from '../../src/model/moved-points.js'
import type { DifferentiableModel, MovedPoints, ReducedModel } from '../../src/model/reduced-model.js'
import { rigFromScene } from '../../src/model/rig.js'
import { createCharacter, SkinnedCharacter } from '../../src/model/skinned-character.js'
import { quaternions } from './flat-rig.js'
import { sampleCharacter } from './rig-sample.js'

const random = randomStream(3)
const values = (n: number): Float64Array => Float64Array.from({ length: n }, () => random.normal())
const modes = new LinearModes({
  rest: values(30),
  modes: values(90),
  triangles: Uint32Array.of(0, 1, 2),
  bounds: { lower: new Float64Array(3).fill(-1), upper: new Float64Array(3).fill(1) },
})
/** In joint spaces of 2, with a leg that has a scale of its own in the clip. */
const rig = rigFromScene(readGltf(await sampleCharacter()))
const character = createCharacter(rig)

function checkGradient(points: MovedPoints, code: Float64Array): void {
  const cotangents = values(3 * points.pointCount)
  const gradient = new Float64Array(points.codeSize)
  points.pullBack(code, cotangents, gradient)
  const out = new Float64Array(3 * points.pointCount)
  const scalar = (entry: number, by: number): number => {
    points.positions(
      code.map((value, k) => (k === entry ? value + by : value)),
      out,
    )
    return out.reduce((sum, value, i) => sum + value * cotangents[i], 0)
  }
  const size = Math.hypot(...cotangents)
  gradient.forEach((value, entry) => {
    const h = 1e-5
    const due = (scalar(entry, h) - scalar(entry, -h)) / (2 * h)
    expect(Math.abs(value - due) / size, `entry ${entry}`).toBeLessThan(2e-8)
  })
}

const randomCode = (model: ReducedModel): Float64Array =>
  Float64Array.from(model.bounds.lower, (low, k) => random.between(low, model.bounds.upper[k]))

describe('movedPoints', () => {
  it('of linear modes has the gradient of finite differences (seed 3)', () => {
    checkGradient(movedPoints(modes), values(3))
    checkGradient(movedPoints(modes, [7, 2, 2]), values(3))
  })

  it('of a skinned character has it at rest, at random codes, and where joints turn by half (seed 3)', () => {
    const points = movedPoints(character)
    const { size, axes } = character.code
    expect(new Set(axes)).toContain(0)
    expect(Math.max(...axes)).toBeGreaterThan(2)
    checkGradient(points, new Float64Array(size))
    for (let round = 0; round < 5; round++) checkGradient(points, randomCode(character))
    // Half a turn about one axis, and beyond it by all three: rotation vectors up to 1.5 pi.
    for (const turn of [1 - 1e-7, 1, 0.85]) {
      const first = new Float64Array(size)
      axes.forEach((axis, k) => {
        if (axis < 3 && (turn === 0.85 || axis === 0)) first[k] = turn
      })
      checkGradient(points, first)
    }
  })

  // Where joints are scaled, and the code leaves axes at other values than rest.
  const MEASURED = ['parents', 'carriers', 'carriers about other axes']
  it.each(MEASURED)('has it, too, of scaled joints measured from %s (seed 3)', (from) => {
    const { skeleton, surface, height } = character
    const carriers = skeleton.parents.slice()
    // Both come after what they carry, or hang from another.
    carriers[skeleton.jointNamed('spine')] = skeleton.jointNamed('leg')
    carriers[skeleton.jointNamed('armL')] = skeleton.jointNamed('head')
    const fixed = skeleton.createPose()
    // Seen from another joint than its parent, what is scaled unevenly would be sheared.
    const unevenly = (i: number): number => (from === 'parents' ? i : Math.floor(i / 3))
    fixed.scales.forEach((value, i) => {
      fixed.scales[i] = value * (1 + 0.1 * ((unevenly(i) % 5) - 2))
    })
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      quaternionOfVector(values(3), 0, fixed.rotations, 4 * joint)
    }
    // Of each joint below the root two axes of its rotation and one of its translation.
    const joints = [...skeleton.belowRoot.keys()].filter((joint) => skeleton.belowRoot[joint] === 1)
    const size = 3 * joints.length
    const code = new JointCode(skeleton, {
      joints: Uint16Array.from({ length: size }, (_, k) => joints[Math.floor(k / 3)]),
      axes: Uint8Array.from({ length: size }, (_, k) => [0, 2, 4][k % 3]),
      units: Float64Array.from({ length: size }, (_, k) => (k % 3 < 2 ? Math.PI : 0.7)),
      carriers: from === 'parents' ? undefined : carriers,
      bases: from === 'carriers about other axes' ? quaternions(random, skeleton.jointCount) : undefined,
      fixed,
      bounds: { lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) },
      dropped: [],
      largestAngle: 0,
    })
    const of = new SkinnedCharacter({ skeleton, surface, code, height, skinning: 'linear' })
    const points = movedPoints(of)
    const drawn = values(size).map((value) => value / 3)
    checkGradient(points, new Float64Array(size))
    checkGradient(points, drawn)
    // They are where the pose of the file's joints has them.
    const pose = skeleton.createPose()
    code.decode(drawn, pose)
    const [due, whole, found] = [0, 1, 2].map(() => new Float64Array(3 * of.vertexCount))
    of.positionsOfPose(pose, due)
    of.positions(drawn, whole)
    points.positions(drawn, found)
    due.forEach((value, i) => {
      expect(whole[i]).toBeCloseTo(value, 11)
      expect(found[i]).toBeCloseTo(value, 11)
    })
  })

  it('of a few vertices is where those are in the whole, and passes back the same (seed 3)', () => {
    for (const model of [modes, character]) {
      const chosen = [5, 0, 9]
      const code = randomCode(model)
      const [all, some] = [movedPoints(model), movedPoints(model, chosen)]
      expect([some.pointCount, some.codeSize, all.pointCount]).toEqual([3, model.codeSize, model.vertexCount])
      const whole = new Float64Array(3 * model.vertexCount)
      const byModel = whole.slice()
      const part = new Float64Array(9)
      all.positions(code, whole)
      model.positions(code, byModel)
      some.positions(code, part)
      const cotangents = values(9)
      const ofAll = new Float64Array(whole.length)
      whole.forEach((value, i) => {
        expect(value).toBeCloseTo(byModel[i], 12)
      })
      chosen.forEach((vertex, i) => {
        for (let axis = 0; axis < 3; axis++) {
          expect(part[3 * i + axis]).toBeCloseTo(whole[3 * vertex + axis], 12)
          ofAll[3 * vertex + axis] = cotangents[3 * i + axis]
        }
      })
      const [due, got] = [new Float64Array(model.codeSize), new Float64Array(model.codeSize)]
      all.pullBack(code, ofAll, due)
      some.pullBack(code, cotangents, got)
      got.forEach((value, k) => {
        expect(value).toBeCloseTo(due[k], 10)
      })
    }
  })

  it('asks models that know their gradients, and refuses others and vertices that are not there', () => {
    const own = movedPoints(modes, [1])
    const knowing: DifferentiableModel = Object.assign(Object.create(modes), { movedPoints: () => own })
    expect(movedPoints(knowing)).toBe(own)
    const unknown = { ...modes, codeSize: 3, vertexCount: 10 } as unknown as ReducedModel
    expect(() => movedPoints(unknown)).toThrow('moved points: this model tells no gradients; pass linear modes')
    expect(() => movedPoints(modes, [10])).toThrow('moved points: vertex 10; there are 0 to 9.')
    const blended = createCharacter(rig, rig.clips, { skinning: 'dual-quaternion' })
    expect(() => movedPoints(blended)).toThrow("skinning is 'dual-quaternion', whose gradient is not known")
  })
})
