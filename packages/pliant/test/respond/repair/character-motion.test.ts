/** Poses of the folding tube as a motion to repair: what becomes of them, what is exactly tested, what is kept. */
import { describe, expect, it } from 'vitest'
import { SurfaceContact } from '../../../src/exact/index.js'
import { load } from '../../../src/index.js'
import { quaternionOfVector } from '../../../src/math/quaternion.js'
import { randomStream } from '../../../src/math/random.js'
import { characterShape } from '../../../src/model/character-shape.js'
import type { SkeletonPose } from '../../../src/model/skeleton.js'
import { type BonesInContact, characterMotion } from '../../../src/respond/repair/character-motion.js'
import { repairMotion } from '../../../src/respond/repair/repair-motion.js'
import { characterContactFile } from '../../artifact/character-contact-example.js'
import { foldedPose } from '../../artifact/folding-tube.js'

const field = await load(await characterContactFile('ends'), { kind: 'character-contact', backend: 'scalar' })
const { skeleton } = field.character
const contact = new SurfaceContact(characterShape(field.character))
const random = randomStream(51)

/** Turned by what the code does not hold, too: about y and z, the root, and a slide. */
function wildPose(): SkeletonPose {
  const pose = skeleton.createPose()
  for (let joint = 0; joint < 4; joint++) {
    quaternionOfVector(
      Float64Array.from({ length: 3 }, () => random.between(-0.6, 0.6)),
      0,
      pose.rotations,
      4 * joint,
    )
  }
  pose.translations[4] += 0.1
  pose.translations[0] = 5
  return pose
}

/** All joints bend to an angle [rad] and back. */
const folding = (angle: number, frames = 41): SkeletonPose[] =>
  Array.from({ length: frames }, (_, i) => {
    const share = Math.sin((Math.PI * i) / (frames - 1)) ** 2
    return foldedPose(skeleton, [share * angle, share * angle, share * angle])
  })

describe('characterMotion', () => {
  it('has the codes of its poses, and gives each back with its own code (seed 51)', () => {
    const poses = Array.from({ length: 5 }, wildPose)
    const motion = characterMotion(field, contact, poses, { rate: 30 })
    expect(motion.rate).toBe(30)
    poses.forEach((pose, frame) => {
      const code = motion.codes.subarray(3 * frame, 3 * frame + 3)
      const due = new Float64Array(3)
      field.character.encodePose(pose, due)
      expect(code).toEqual(due)
      const again = motion.poseOf(frame, code)
      expect(again.translations).toEqual(pose.translations)
      expect(again.scales).toEqual(pose.scales)
      again.rotations.forEach((value, i) => {
        expect(value).toBeCloseTo(pose.rotations[i], 12)
      })
    })
  })

  it('changes only what the code holds of a pose, and a copy of it (seed 51)', () => {
    const pose = wildPose()
    const kept = structuredClone(pose)
    const motion = characterMotion(field, contact, [pose], { rate: 30 })
    const changed = motion.poseOf(0, [0.3, -0.2, 0.1])
    expect(pose).toEqual(kept)
    const code = new Float64Array(3)
    field.character.encodePose(changed, code)
    ;[0.3, -0.2, 0.1].forEach((value, k) => {
      expect(code[k]).toBeCloseTo(value, 12)
    })
    expect(changed.rotations.subarray(0, 4)).toEqual(pose.rotations.subarray(0, 4))
    expect(changed.rotations.subarray(4)).not.toEqual(pose.rotations.subarray(4))
    expect(changed.translations).toEqual(pose.translations)
  })

  it('tests the whole pose, names pairs of the field, and -1 for one that it does not know', () => {
    const closed = foldedPose(skeleton, [1.73, 1.73, 1.73])
    const motion = characterMotion(field, contact, [foldedPose(skeleton, [0, 0, 0]), closed], { rate: 30 })
    expect(motion.contacts(0, Float64Array.of(0, 0, 0))).toEqual([])
    expect(motion.contacts(1, motion.codes.slice(3))).toEqual([1])
    expect(motion.contacts(1, Float64Array.of(0, 0, 0))).toEqual([])
    expect(motion.contacts(0, Float64Array.of(0.67, 0.67, 0.67))).toEqual([0, 1, 2])
    // A turn about z, which no code holds, takes the end aside.
    const aside = structuredClone(closed)
    quaternionOfVector([1.73, 0, 1.2], 0, aside.rotations, 4)
    const turned = characterMotion(field, contact, [aside], { rate: 30 })
    for (const value of turned.codes) expect(value).toBeCloseTo(1.73 / Math.PI, 9)
    expect(turned.contacts(0, turned.codes.slice())).toEqual([])
    expect(motion.contacts(0, turned.codes.slice())).toEqual([1])
    const stranger = { partsInContact: () => [3, 0, 1, 2] }
    expect(characterMotion(field, stranger, [closed], { rate: 30 }).contacts(0, new Float64Array(3))).toEqual([1, -1])
  })

  it('tells how deep the pairs are that it told last, if the test can', () => {
    const motion = characterMotion(field, contact, folding(0), { rate: 30 })
    const positions = new Float64Array(3 * field.character.vertexCount)
    const depthsAt = (angle: number): number[] => {
      const code = Float64Array.of(angle, angle, angle)
      field.character.positions(code, positions)
      contact.partsInContact(positions)
      const due = [...contact.depthsOfParts()]
      expect(due).toHaveLength(motion.contacts(0, code).length)
      expect(Array.from(motion.depths!())).toEqual(due)
      return due
    }
    expect(depthsAt(0)).toEqual([])
    for (const depth of [0.55, 0.57, 0.6, 0.67].flatMap(depthsAt)) expect(depth).toBeGreaterThan(0)
    const untold = { partsInContact: (at: Float64Array) => contact.partsInContact(at) }
    expect(characterMotion(field, untold as BonesInContact, [], { rate: 30 }).depths).toBeUndefined()
  })

  it('weighs joints by how much of the body they move, one in the mean', () => {
    const weights = Array.from(characterMotion(field, contact, [], { rate: 30 }).weights!)
    expect(weights[0]).toBeGreaterThan(weights[1])
    expect(weights[1]).toBeGreaterThan(weights[2])
    expect(weights[2]).toBeGreaterThan(0.2)
    expect(weights.reduce((sum, weight) => sum + weight, 0) / 3).toBeCloseTo(1, 9)
  })

  it('keeps joints: where they are, with the way back of differences (seed 51)', () => {
    const { kept } = characterMotion(field, contact, [], { rate: 30, keep: ['third', 'second'] })
    const code = Float64Array.of(0.2, 0.35, -0.1)
    const [at, above, below] = [new Float64Array(6), new Float64Array(6), new Float64Array(6)]
    kept!.positions(code, at)
    const matrices = new Float64Array(64)
    field.character.jointMatrices(code, matrices)
    expect([...at]).toEqual([...matrices.subarray(60, 63), ...matrices.subarray(44, 47)])
    const cotangents = Float64Array.from({ length: 6 }, () => random.normal())
    const gradient = new Float64Array(3)
    kept!.pullBack(code, cotangents, gradient)
    for (let k = 0; k < 3; k++) {
      const h = 1e-5
      kept!.positions(code.with(k, code[k] + h), above)
      kept!.positions(code.with(k, code[k] - h), below)
      const due = cotangents.reduce((sum, weight, i) => sum + (weight * (above[i] - below[i])) / (2 * h), 0)
      expect(gradient[k]).toBeCloseTo(due, 7)
    }
    expect(characterMotion(field, contact, [], { rate: 30 }).kept).toBeUndefined()
  })

  it('refuses a joint to keep that is not there, and a pose that is none by its frame, in one line', () => {
    expect(() => characterMotion(field, contact, [], { rate: 30, keep: ['third', 'foot'] })).toThrow(
      "repair motion: there is no joint 'foot' to keep; choose from root, first, second, third.",
    )
    const poses = folding(0.5, 4)
    poses[2].rotations[9] = Number.NaN
    expect(() => characterMotion(field, contact, poses, { rate: 30 })).toThrow(
      "repair motion: frame 2: rotation of joint 2 ('second') is NaN; pass finite numbers.",
    )
    const short = [{ ...poses[0], scales: new Float64Array(3) }]
    expect(() => characterMotion(field, contact, short, { rate: 30 })).toThrow(/^repair motion: frame 0: scales are/)
  })

  it('is repaired: no frame touches, the ends of the clip are as they were, and what is kept moves less', () => {
    const poses = folding(1.75)
    const wayOf = (keep: string[]): number => {
      const motion = characterMotion(field, contact, poses, { rate: 30, keep })
      const { codes, touchedBefore, touchesNow, pairs } = repairMotion(field, motion)
      expect(touchedBefore.filter((flag) => flag === 1).length).toBeGreaterThan(4)
      expect([...touchesNow]).not.toContain(1)
      expect(pairs).toContain(1)
      expect([...codes.subarray(0, 3)]).toEqual([0, 0, 0])
      const positions = new Float64Array(3 * field.character.vertexCount)
      const places = [new Float64Array(3), new Float64Array(3)]
      const { kept } = characterMotion(field, contact, [], { rate: 30, keep: ['third'] })
      let most = 0
      poses.forEach((_, frame) => {
        const code = codes.slice(3 * frame, 3 * frame + 3)
        field.character.positionsOfPose(motion.poseOf(frame, code), positions)
        expect(contact.touches(positions)).toBe(false)
        kept!.positions(code, places[0])
        kept!.positions(motion.codes.subarray(3 * frame, 3 * frame + 3), places[1])
        most = Math.max(most, Math.hypot(...places[0].map((value, axis) => value - places[1][axis])))
      })
      return most
    }
    expect(wayOf(['third'])).toBeLessThan(0.1 * wayOf([]))
  })

  it("is refused of the paper's network, which tells no clearances", async () => {
    const ofPaper = await load(await characterContactFile('state'), { kind: 'character-contact', backend: 'scalar' })
    expect(() => characterMotion(ofPaper, contact, [], { rate: 30 })).toThrow(
      'repair motion: the network tells no clearances of parts; train it by our own method.',
    )
  })
})
