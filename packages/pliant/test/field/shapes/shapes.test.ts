import { describe, expect, it } from 'vitest'
import { abs, add, length, mul, sub } from '../../../src/field/expression/expression.js'
import { smoothUnion, union } from '../../../src/field/shapes/combine.js'
import { placed, repeated } from '../../../src/field/shapes/place.js'
import { cone, prism, regularPrism } from '../../../src/field/shapes/polygons.js'
import { box, ellipsoid, halfSpace, roundCone, sphere, torus } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import type { Vec3 } from '../../../src/math/box.js'
import { randomStream } from '../../../src/math/random.js'
import { conformField } from '../conformance.js'
import { ALL_SHAPES } from './all-shapes.js'

const DOMAIN = { lower: [-1.8, -1.8, -1.8], upper: [1.8, 1.8, 1.8] } as const

for (const { name, shape, inside } of ALL_SHAPES) {
  conformField({
    name: `shape ${name}`,
    make: () => fieldOf(shape),
    box: DOMAIN,
    inside: [inside],
    outside: [[1.7, 1.75, 1.6]],
    gradientTolerance: 1e-4,
    kinks: 0.02,
    bounded: true,
  })
}

describe.each(ALL_SHAPES)('shape $name', ({ shape, exact }) => {
  const field = fieldOf(shape)
  const count = 4000
  const points = randomPoints(count, 11)
  const distances = new Float64Array(count)
  const gradients = new Float64Array(3 * count)
  field.query(points, count, distances, gradients)

  it('lies within its box', () => {
    for (let i = 0; i < count; i++) {
      if (distances[i] > 0) continue
      for (let axis = 0; axis < 3; axis++) {
        expect(points[3 * i + axis]).toBeGreaterThanOrEqual(shape.box.lower[axis])
        expect(points[3 * i + axis]).toBeLessThanOrEqual(shape.box.upper[axis])
      }
    }
  })

  it('is no steeper than it says', () => {
    for (let i = 0; i < count; i++) {
      expect(Math.hypot(...gradients.subarray(3 * i, 3 * i + 3))).toBeLessThanOrEqual(shape.slope + 1e-9)
    }
  })

  // One step of the distance against the gradient ends on the surface just where the number is the distance.
  it.runIf(exact !== 'nowhere')(`tells distances ${exact}`, () => {
    const feet = points.map((value, i) => value - distances[Math.trunc(i / 3)] * gradients[i])
    const left = new Float64Array(count)
    field.query(feet, count, left)
    let wrong = 0
    for (let i = 0; i < count; i++) {
      if ((exact === 'outside' && distances[i] < 0) || (exact === 'inside' && distances[i] > 0)) continue
      if (Math.abs(left[i]) > 1e-9) wrong++
    }
    expect(wrong).toBe(0)
  })
})

// A million of them in `pliant bench contact`.
it('bounds boxes so that all samples lie between, to the last digit', () => {
  const random = randomStream(5, 1)
  const perShape = 2000
  const points = new Float64Array(9)
  const values = new Float64Array(3)
  const violations: string[] = []
  for (const { name, shape } of ALL_SHAPES) {
    const field = fieldOf(shape)
    for (let n = 0; n < perShape; n++) {
      const size = 10 ** -random.between(0, 4)
      const lower = [0, 1, 2].map(() => random.between(-2, 2))
      const upper = lower.map((low) => low + size * random.uniform())
      const bounds = field.bounds({ lower: lower as unknown as Vec3, upper: upper as unknown as Vec3 })
      if (!bounds) continue
      for (let axis = 0; axis < 3; axis++) {
        points[axis] = lower[axis]
        points[3 + axis] = upper[axis]
        points[6 + axis] = lower[axis] + random.uniform() * (upper[axis] - lower[axis])
      }
      field.query(points, 3, values)
      for (const value of values) {
        if (value < bounds[0] || value > bounds[1]) violations.push(`${name} ${lower} ${upper}: ${value} of ${bounds}`)
      }
    }
  }
  expect(violations).toEqual([])
})

it('bounds a box of no size by the value there', () => {
  for (const { shape } of ALL_SHAPES) {
    const field = fieldOf(shape)
    const [low, high] = field.bounds({ lower: [0.3, 0.2, 0.1], upper: [0.3, 0.2, 0.1] })!
    expect(high - low).toBeLessThan(1e-12)
  }
})

it('knows nothing of a box that is none, and what it can of one without an end', () => {
  const field = fieldOf(sphere(1))
  expect(field.bounds({ lower: [0, 0, 1], upper: [1, 1, 0] })).toBeUndefined()
  expect(field.bounds({ lower: [0, 0, Number.NaN], upper: [1, 1, 1] })).toBeUndefined()
  const [low, high] = field.bounds({ lower: [2, -Infinity, -Infinity], upper: [Infinity, Infinity, Infinity] })!
  expect(low).toBeGreaterThan(0.99)
  expect(high).toBe(Infinity)
})

it('takes a shape that somebody wrote down', () => {
  // A diamond of rounded edges: |x| + |y| + 2 |z| < 1.
  const own: Shape = {
    at: ([x, y, z]) => sub(add(abs(x), abs(y), mul(2, abs(z))), 1),
    slope: Math.sqrt(6),
    box: { lower: [-1, -1, -0.5], upper: [1, 1, 0.5] },
  }
  const field = fieldOf(union(own, placed(sphere(0.2), { at: [0, 0, 1] })))
  const out = new Float64Array(2)
  field.query(Float64Array.of(0, 0, 0.45, 0, 0, 1.1), 2, out)
  expect(out[0]).toBeCloseTo(-0.1, 12)
  expect(out[1]).toBeCloseTo(-0.1, 12)
  expect(field.bounds({ lower: [0.9, 0.9, -0.1], upper: [1, 1, 0.1] })![0]).toBeGreaterThan(0.3)
})

it('gives closed forms at corners, along axes and in the middle', () => {
  const at = (shape: Shape, ...point: Vec3): number => {
    const out = new Float64Array(1)
    fieldOf(shape).query(Float64Array.from(point), 1, out)
    return out[0]
  }
  expect(at(box([1, 1, 1]), 2, 2, 2)).toBeCloseTo(Math.sqrt(3), 12)
  expect(at(torus(2, 0.5), 0, 0, 0)).toBeCloseTo(1.5, 12)
  expect(at(cone(1, 0, 1), 0, 2, 0)).toBeCloseTo(1, 12)
  expect(at(cone(1, 0, 1), 0, -0.9, 0)).toBeCloseTo(-0.1, 12)
  expect(at(regularPrism(6, 1, 1), 0, 2, 0)).toBeCloseTo(2 - Math.sqrt(3) / 2, 12)
  expect(at(roundCone(1, 0.5, 2), 0, 3, 0)).toBeCloseTo(0.5, 12)
  expect(at(ellipsoid([1, 0.5, 0.3]), 0, 0, 0)).toBeCloseTo(-0.3, 2)
  expect(at(smoothUnion(sphere(1), sphere(1), 0.4), 2, 0, 0)).toBeCloseTo(1 - 0.1, 12)
  expect(at(placed(sphere(1), { at: [0, 5, 0], scale: 2 }), 0, 0, 0)).toBeCloseTo(3, 12)
  // The corner copy of three by three.
  expect(at(repeated(sphere(0.1), [1, 1, 1], [3, 3, 1]), 1, 1, 0)).toBeCloseTo(-0.1, 12)
  expect(at(repeated(sphere(0.1), [1, 1, 1], [3, 3, 1]), 3, 1, 0)).toBeCloseTo(1.9, 12)
})

it('refuses what is no shape in one line', () => {
  expect(() => sphere(0)).toThrow('sphere radius is 0')
  expect(() => box([1, Number.NaN, 1])).toThrow('box half extent is NaN')
  expect(() => box([1, 0.2, 1], 0.3)).toThrow('rounding is 0.3')
  expect(() => halfSpace([0, 0, 0], 1)).toThrow('normal')
  expect(() => roundCone(1, 0.2, 0.5)).toThrow('height above 0.8')
  expect(() =>
    prism(
      [
        [0, 0],
        [0, 1],
        [1, 0],
      ],
      1,
    ),
  ).toThrow('not convex at corner 1')
  expect(() => repeated(sphere(1), [1, 3, 3], [2, 1, 1])).toThrow('overlap')
  expect(() => union()).toThrow('of no shape')
  expect(() => placed(sphere(1), { turn: [0, 0, 0, 0] })).toThrow('turn')
  expect(() => length(Number.NaN, 1)).toThrow('NaN is no term')
})

function randomPoints(count: number, seed: number): Float64Array {
  const random = randomStream(seed, 3)
  return Float64Array.from({ length: 3 * count }, () => random.between(-1.8, 1.8))
}
