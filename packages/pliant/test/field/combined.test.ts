import { expect, it } from 'vitest'
import { fieldBox, fieldSphere } from '../../src/field/analytic.js'
import { fieldDifference, fieldIntersection, fieldUnion } from '../../src/field/combined.js'
import { conformField } from './conformance.js'

const left = fieldSphere([-0.4, 0, 0], 0.6)
const right = fieldBox([0.4, 0, 0], [0.5, 0.5, 0.5])
const common = {
  box: { lower: [-1.5, -1.5, -1.5], upper: [1.5, 1.5, 1.5] },
  gradientTolerance: 1e-4,
  // Where the nearer surface changes.
  kinks: 0.02,
  bounded: true,
} as const

conformField({
  ...common,
  name: 'a union',
  make: () => fieldUnion(left, right),
  inside: [
    [-0.9, 0, 0],
    [0.85, 0.4, 0.4],
  ],
  outside: [[0, 0.9, 0]],
})
conformField({
  ...common,
  name: 'an intersection',
  make: () => fieldIntersection(left, right),
  inside: [[0.1, 0, 0]],
  outside: [
    [-0.9, 0, 0],
    [0.85, 0.4, 0.4],
  ],
})
conformField({
  ...common,
  name: 'a difference',
  make: () => fieldDifference(left, right),
  inside: [[-0.9, 0, 0]],
  outside: [
    [0.1, 0, 0],
    [0.85, 0.4, 0.4],
  ],
})

it('joins and cuts any number of fields, and refuses none', () => {
  const out = new Float64Array(1)
  const balls = [0, 2, 4].map((x) => fieldSphere([x, 0, 0], 0.5))
  fieldUnion(...balls).query(Float64Array.of(4, 0.7, 0), 1, out)
  expect(out[0]).toBeCloseTo(0.2, 12)
  fieldDifference(fieldBox([2, 0, 0], [3, 1, 1]), ...balls).query(Float64Array.of(4, 0, 0), 1, out)
  expect(out[0]).toBeCloseTo(0.5, 12)
  expect(() => fieldUnion()).toThrow(/field union: there is no field/)
})
