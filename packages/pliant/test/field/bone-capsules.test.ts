import { describe, expect, it } from 'vitest'
import { fieldCapsule } from '../../src/field/analytic.js'
import { BoneCapsulesField } from '../../src/field/bone-capsules.js'
import { randomStream } from '../../src/math/random.js'
import { conformField } from './conformance.js'
import { ARM_BONES, ARM_RADIUS, armMatrices, armRest, armRestField } from './two-bones.js'

const bent = armMatrices(1)

conformField({
  name: 'capsules on a bent arm',
  make: () => {
    const field = new BoneCapsulesField(ARM_BONES)
    field.update({ matrices: bent })
    return field
  },
  box: { lower: [-0.5, -0.6, -0.6], upper: [2, 1.5, 0.6] },
  inside: [
    [0.5, 0, 0],
    [1.3, 0.45, 0],
  ],
  outside: [
    [2, 0, 0],
    [0.5, 0.6, 0],
    [4, 4, 4],
  ],
  gradientTolerance: 1e-3,
  // Where both capsules are equally far.
  kinks: 0.01,
  bounded: true,
})

describe('capsules on bones', () => {
  it('are the union of the posed capsules, scale included (seed 4)', () => {
    const field = new BoneCapsulesField(ARM_BONES)
    field.update({ matrices: armMatrices(1, 2) })
    const upper = fieldCapsule([0, 0, 0], [2, 0, 0], 2 * ARM_RADIUS)
    const lower = fieldCapsule([2, 0, 0], [2 + 2 * Math.cos(1), 2 * Math.sin(1), 0], 2 * ARM_RADIUS)
    const random = randomStream(4, 1)
    const points = Float64Array.from({ length: 600 }, () => random.between(-1, 4))
    const [found, a, b] = [new Float64Array(200), new Float64Array(200), new Float64Array(200)]
    field.query(points, 200, found)
    upper.query(points, 200, a)
    lower.query(points, 200, b)
    for (let i = 0; i < 200; i++) expect(found[i]).toBeCloseTo(Math.min(a[i], b[i]), 12)
  })

  it('find the capsules that a body is made of from a poor start', () => {
    const poor = ARM_BONES.map(
      (bone) => ({ ...bone, start: [0.2, 0.1, 0], end: [0.7, -0.05, 0.05], radius: 0.1 }) as const,
    )
    const field = BoneCapsulesField.fit(poor, armRestField, armRest)
    const random = randomStream(5, 1)
    const points = Float64Array.from({ length: 900 }, (_, i) => random.between(-0.3, i % 3 === 0 ? 2.3 : 0.3))
    const [found, exact] = [new Float64Array(300), new Float64Array(300)]
    field.query(points, 300, found)
    armRestField.query(points, 300, exact)
    const errors = found.map((value, i) => Math.abs(value - exact[i]))
    expect(Math.max(...errors)).toBeLessThan(0.02)
  })

  it('refuses no bones and joints without matrices', () => {
    expect(() => new BoneCapsulesField([])).toThrow('there are no bones')
    expect(() => new BoneCapsulesField(ARM_BONES).update({ matrices: new Float64Array(16) })).toThrow('joint 1 of 1')
  })
})
