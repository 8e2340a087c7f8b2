import { expect, it } from 'vitest'
import { fieldBox, fieldCapsule, fieldHalfSpace, fieldSphere, fieldTorus } from '../../src/field/analytic.js'
import { conformField } from './conformance.js'

const box = { lower: [-1.5, -1.5, -1.5], upper: [1.5, 1.5, 1.5] } as const
const common = { box, gradientTolerance: 1e-4, kinks: 0.01, bounded: true }

conformField({
  ...common,
  name: 'a sphere',
  make: () => fieldSphere([0.1, 0, 0], 0.8),
  inside: [
    [0.1, 0, 0],
    [0.5, 0.3, 0],
  ],
  outside: [
    [1, 0, 0],
    [0, 2, 0],
  ],
})
conformField({
  ...common,
  name: 'a box',
  make: () => fieldBox([0, 0.1, 0], [0.5, 0.3, 0.8]),
  inside: [
    [0, 0.1, 0],
    [0.4, 0.3, -0.7],
  ],
  outside: [
    [0.6, 0.1, 0],
    [0.6, 0.6, 0.9],
  ],
})
conformField({
  ...common,
  name: 'a capsule',
  make: () => fieldCapsule([-0.5, 0, 0], [0.5, 0.4, 0.2], 0.3),
  inside: [
    [-0.5, 0, 0],
    [0.6, 0.45, 0.2],
  ],
  outside: [
    [-0.9, 0, 0],
    [0, 1, 0],
  ],
})
conformField({
  ...common,
  name: 'a torus',
  make: () => fieldTorus([0, 0, 0], 0.8, 0.25),
  inside: [
    [0.8, 0, 0],
    [0, 0.1, -0.9],
  ],
  outside: [
    [0, 0, 0],
    [0.8, 0.3, 0],
  ],
})
conformField({
  ...common,
  name: 'a half-space',
  make: () => fieldHalfSpace([0, 2, 0], 1),
  inside: [[0, 0, 0]],
  outside: [[0, 0.6, 0]],
})

it('gives distances in closed form at corners and along axes', () => {
  const out = new Float64Array(2)
  fieldBox([0, 0, 0], [1, 1, 1]).query(Float64Array.of(2, 2, 2, 0.25, 0, 0), 2, out)
  expect(out[0]).toBeCloseTo(Math.sqrt(3), 12)
  expect(out[1]).toBeCloseTo(-0.75, 12)
  fieldHalfSpace([0, 2, 0], 1).query(Float64Array.of(0, 2, 0), 1, out)
  expect(out[0]).toBeCloseTo(1.5, 12)
})

it('refuses sizes that are not positive', () => {
  expect(() => fieldSphere([0, 0, 0], 0)).toThrow('sphere radius is 0')
  expect(() => fieldBox([0, 0, 0], [1, Number.NaN, 1])).toThrow('box half extent is NaN')
  expect(() => fieldHalfSpace([0, 0, 0], 1)).toThrow('normal')
})
