import { expect, it } from 'vitest'
import { collide } from '../../../src/detect/fields/collide-fields.js'
import { box, halfSpace, sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf } from '../../../src/field/shapes/shape.js'
import { VoxelField } from '../../../src/field/voxel.js'

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]

it('meets shapes, voxel grids and the ground by one call, again and again', () => {
  const cube = fieldOf(box([0.5, 0.5, 0.5]))
  const ball = VoxelField.sample(fieldOf(sphere(0.4)), { lower: [-0.6, -0.6, -0.6], upper: [0.6, 0.6, 0.6] })
  const ground = fieldOf(halfSpace([0, 1, 0], 0))
  expect(collide(cube, at(0, 0.49, 0), ground, at(0, 0, 0), { maxContacts: 4 }).count).toBe(4)
  for (const height of [0.89, 0.85, 0.88]) {
    const list = collide(ball, at(0, height, 0), cube, at(0, 0, 0))
    expect(list.at(0).separation).toBeCloseTo(height - 0.9, 3)
    expect(list.at(0).normal[1]).toBeCloseTo(-1, 3)
  }
})

it('keeps what it found for the same two fields, and for each of their options', () => {
  const [a, b] = [fieldOf(sphere(1)), fieldOf(sphere(1))]
  const first = collide(a, at(0, 0, 0), b, at(1.9, 0, 0))
  expect(collide(a, at(0, 0, 0), b, at(1.8, 0, 0))).toBe(first)
  expect(first.at(0).separation).toBeCloseTo(-0.2, 6)
  expect(collide(a, at(0, 0, 0), b, at(1.8, 0, 0), { maxContacts: 1 })).not.toBe(first)
  expect(collide(b, at(0, 0, 0), a, at(1.8, 0, 0))).not.toBe(first)
})

it('takes how far fields tell distances, of both or of each, and says where an overlap is deeper', () => {
  const [a, b] = [fieldOf(sphere(1)), fieldOf(sphere(1))]
  const limitBy = (band?: number | readonly [number, number]): string =>
    collide(a, at(0, 0, 0), b, at(1.7, 0, 0), { maxContacts: 1, ...(band !== undefined && { band }) }).at(0).limit
  expect([limitBy(), limitBy(Infinity), limitBy(0.5)]).toEqual(['none', 'none', 'none'])
  expect([limitBy(0.2), limitBy([0.2, 0.2])]).toEqual(['band', 'band'])
  expect(limitBy(), 'each as it was asked').toBe('none')
  // The least separation is told by either of them.
  expect([limitBy([0.2, Infinity]), limitBy([Infinity, 0.2])]).toContain('band')
  expect(() => limitBy(0)).toThrow(/^solid: band is 0; /)
  expect(() => limitBy(Number.NaN)).toThrow(/^solid: band is NaN; /)
})

it('refuses a field without a box in one line', () => {
  const field = { query() {}, bounds: () => undefined } as never
  expect(() => collide(field, at(0, 0, 0), fieldOf(sphere(1)), at(0, 0, 0))).toThrow(
    "the field's box is undefined; make a solid of it by solidOf(field, box)",
  )
})
