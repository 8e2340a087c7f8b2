import { randomStream, type Vec3 } from 'pliant'
import { describe, expect, it } from 'vitest'
import { jointPlace } from '../../../src/presets/humanoid/joints.js'
import { reachWithLeg } from '../../../src/presets/humanoid/leg.js'
import { cross, dot, plus, turned } from '../../../src/presets/humanoid/turns.js'

const rest = {
  hip: jointPlace('LeftUpperLeg'),
  knee: jointPlace('LeftLowerLeg'),
  ankle: jointPlace('LeftFoot'),
}
const thigh = plus(rest.knee, rest.hip, -1)
const shin = plus(rest.ankle, rest.knee, -1)
const forward: Vec3 = [0, 0.35, 1]

/** Knee and ankle from the turns alone, as the skeleton will have them. */
function placesOf(hip: Vec3, turns: ReturnType<typeof reachWithLeg>): { knee: Vec3; ankle: Vec3 } {
  const knee = plus(hip, turned(turns.thigh, thigh))
  return { knee, ankle: plus(knee, turned(turns.shin, shin)) }
}

describe('a leg that reaches', () => {
  const seed = 11
  it(`has its ankle where it is wanted and bends its knee forward (100 places, seed ${seed})`, () => {
    const random = randomStream(seed, 0)
    for (let i = 0; i < 100; i++) {
      const hip: Vec3 = [random.between(-0.2, 0.2), random.between(0.8, 1), random.between(-0.2, 0.2)]
      const way: Vec3 = [random.between(-0.2, 0.2), random.between(-0.7, -0.35), random.between(-0.3, 0.3)]
      const wanted = plus(hip, way)
      const turns = reachWithLeg(rest, hip, wanted, forward)
      const { knee, ankle } = placesOf(hip, turns)
      for (let axis = 0; axis < 3; axis++) {
        expect(ankle[axis]).toBeCloseTo(wanted[axis], 9)
        expect(turns.ankle[axis]).toBeCloseTo(wanted[axis], 9)
      }
      // In front of the line from hip to ankle, and in its plane.
      const bend = plus(plus(knee, hip, -1), way, -dot(plus(knee, hip, -1), way) / dot(way, way))
      expect(dot(bend, forward)).toBeGreaterThan(0)
      expect(dot(cross(way, forward), plus(knee, hip, -1))).toBeCloseTo(0, 9)
    }
  })

  it('stretches towards what is too far', () => {
    const turns = reachWithLeg(rest, rest.hip, plus(rest.hip, [0, -2, 0]), forward)
    const { ankle } = placesOf(rest.hip, turns)
    expect(ankle[0]).toBeCloseTo(rest.hip[0], 9)
    expect(ankle[2]).toBeCloseTo(rest.hip[2], 9)
    expect(rest.hip[1] - ankle[1]).toBeGreaterThan(0.83)
    for (let axis = 0; axis < 3; axis++) expect(turns.ankle[axis]).toBeCloseTo(ankle[axis], 9)
  })
})
