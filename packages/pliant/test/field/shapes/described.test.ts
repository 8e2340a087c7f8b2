import { expect, it } from 'vitest'
import { shapeNames, shapeOf } from '../../../src/field/shapes/described.js'
import { fieldOf } from '../../../src/field/shapes/shape.js'
import { shapesAsked } from '../../../src/field/shapes/shapes-asked.js'
import type { Vec3 } from '../../../src/math/box.js'

const ball = { shape: 'sphere', radius: 1 }

/** A description of every name; a new one without a line here fails. */
const DESCRIPTIONS: Record<string, object> = {
  sphere: { radius: 1 },
  box: { half: [1, 1, 1], rounding: 0.1 },
  'box-frame': { half: [1, 1, 1], thickness: 0.1 },
  torus: { ring: 1, tube: 0.2 },
  link: { half: 0.5, ring: 0.4, tube: 0.1 },
  capsule: { from: [0, 0, 0], to: [1, 0, 0], radius: 0.2 },
  cylinder: { radius: 1, half: 1 },
  cone: { base: 1, half: 1 },
  'round-cone': { lower: 1, upper: 0.5, height: 2 },
  ellipsoid: { radii: [1, 2, 3] },
  octahedron: { radius: 1 },
  'regular-prism': { sides: 5, radius: 1, half: 1 },
  prism: {
    corners: [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
    half: 1,
  },
  heart: { size: 1 },
  'half-space': { normal: [0, 1, 0] },
  union: { of: [ball] },
  intersection: { of: [ball, ball] },
  difference: { from: ball, taken: [{ ...ball, at: [1, 0, 0] }] },
  'smooth-union': { a: ball, b: ball, width: 0.1 },
  'smooth-intersection': { a: ball, b: ball, width: 0.1 },
  'smooth-difference': { from: ball, taken: { ...ball, at: [1, 0, 0] }, width: 0.1 },
  rounded: { of: ball, radius: 0.1 },
  onion: { of: ball, thickness: 0.1 },
  mirrored: { of: ball, axis: 'x' },
  repeated: { of: ball, spacing: [2, 2, 2], counts: [2, 1, 1] },
  twisted: { of: ball, rate: 1 },
  bent: { of: ball, rate: 1 },
}

const at = (description: unknown, ...point: Vec3): number => {
  const out = new Float64Array(1)
  fieldOf(shapeOf(description)).query(Float64Array.from(point), 1, out)
  return out[0]
}

it.each(shapeNames())('reads a %s', (name) => {
  expect(DESCRIPTIONS).toHaveProperty(name)
  expect(Number.isFinite(at({ shape: name, ...DESCRIPTIONS[name] }, 0.3, 0.2, 0.1))).toBe(true)
})

it('places any shape, those within others too', () => {
  expect(at({ ...ball, at: [2, 0, 0], scale: 0.5 }, 0, 0, 0)).toBeCloseTo(1.5, 12)
  expect(at({ shape: 'union', of: [{ ...ball, at: [5, 0, 0] }], at: [0, 1, 0] }, 5, 1, 0)).toBeCloseTo(-1, 12)
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2]
  expect(at({ shape: 'box', half: [2, 1, 1], turn: quarter }, 0, 2.5, 0)).toBeCloseTo(0.5, 12)
})

it.each([
  ['a string', "'cube' is no shape"],
  [{ shape: 'cube' }, "there is no shape 'cube'; choose from sphere, box"],
  [{ shape: 'sphere' }, 'shape: radius of the sphere is undefined; give a number'],
  [{ shape: 'sphere', radius: '1' }, "radius of the sphere is '1'"],
  [{ ...ball, colour: 'red' }, "a sphere has no 'colour'; it takes at, turn, scale, radius"],
  [{ ...ball, at: [1, 2] }, 'at of the sphere is Array of 2; give 3 numbers'],
  [{ shape: 'union', of: [ball, { shape: 'box' }] }, 'shape.of[1]: half of the box'],
  [{ shape: 'constructor' }, 'there is no shape'],
])('refuses %j in one line', (description, message) => {
  expect(() => shapeOf(description === 'a string' ? 'cube' : description)).toThrow(message)
})

it('refuses repetitions of repetitions before millions of shapes are made of them', () => {
  const repeated = (depth: number): object =>
    depth === 0 ? ball : { shape: 'repeated', of: repeated(depth - 1), spacing: [9, 9, 9], counts: [2, 2, 2] }
  expect(shapesAsked(repeated(3))).toBe(1 + 8 * (1 + 8 * (1 + 8)))
  expect(() => shapeOf(repeated(12))).toThrow('shape: a distance asks millions of shapes; make it of 4096 or fewer.')
  expect(() => shapeOf(repeated(4))).toThrow('asks 4681 shapes')
})

it('refuses what nests without an end', () => {
  let deep: object = ball
  for (let i = 0; i < 5000; i++) deep = { shape: 'rounded', of: deep, radius: 0.1 }
  expect(() => shapeOf(deep)).toThrow('nested deeper than 100')
})
