/** Fields and places that are hard: a defined answer, which says what it cannot tell, or one line that names what is wrong. */
import { describe, expect, it } from 'vitest'
import { type CollideOptions, SolidPair } from '../../../src/detect/fields/collide.js'
import { type Solid, solidOf } from '../../../src/detect/fields/solid.js'
import type { ContactList } from '../../../src/field/contact.js'
import { intersection } from '../../../src/field/shapes/combine.js'
import { bent, placed, twisted } from '../../../src/field/shapes/place.js'
import { box, halfSpace, heart, sphere, torus } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import { VoxelField } from '../../../src/field/voxel.js'
import { type Box, EVERYWHERE } from '../../../src/math/box.js'

const solid = (shape: Shape): Solid => solidOf(fieldOf(shape), shape.box)
const at = (x: number, y = 0, z = 0): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
const HERE = at(0)
const BALL = solid(sphere(1))
const GROUND = solid(halfSpace([0, 1, 0], 0))
const AROUND: Box = { lower: [-1, -1, -1], upper: [1, 1, 1] }
const meet = (a: Solid, poseA: number[], b: Solid, poseB: number[], options?: CollideOptions): ContactList =>
  new SolidPair(a, b, options).update(poseA, poseB)
const contactsOf = (list: ContactList) => Array.from({ length: list.count }, (_, i) => list.at(i))

/** A ball of .8 whose answers are spoilt. */
function spoilt(spoil: (distance: number, point: Float64Array, gradient: Float64Array) => number): SignedField {
  return {
    query(points, count, distances, gradients) {
      for (let i = 0; i < count; i++) {
        const point = Float64Array.from(points.subarray(3 * i, 3 * i + 3))
        const length = Math.hypot(...point)
        const gradient = point.map((value) => value / length)
        distances[i] = spoil(length - 0.8, point, gradient)
        gradients?.set(gradient, 3 * i)
      }
    },
    bounds: () => undefined,
  }
}

function expectFinite(list: ContactList): void {
  for (const { pointA, pointB, normal, separation, area } of contactsOf(list)) {
    expect([...pointA, ...pointB, ...normal, separation, area].every(Number.isFinite)).toBe(true)
    expect(Math.hypot(...normal)).toBeCloseTo(1, 9)
    // Both points are as far apart as it says.
    const way = normal.reduce((sum, value, k) => sum + value * (pointB[k] - pointA[k]), 0)
    expect(way).toBeCloseTo(separation, 9)
  }
}

describe('a field that answers no numbers', () => {
  const nothing = spoilt((_, __, gradient) => {
    gradient.fill(Number.NaN)
    return Number.NaN
  })

  it('is refused where points of its surface are wanted, by where it does', () => {
    expect(() => solidOf(nothing, AROUND)).toThrow(/the field answers NaN at -1.003, -1.003, -1.003; give one that/)
    const endless = spoilt((distance) => (distance < 0 ? -Infinity : Infinity))
    expect(() => solidOf(endless, AROUND)).toThrow(/the field answers Infinity at /)
  })

  it('has no contacts where it does, and the list tells at how many points', () => {
    const list = meet(BALL, HERE, solidOf(nothing, EVERYWHERE), HERE)
    expect(list.count).toBe(0)
    expect(list.unanswered).toBe(BALL.points.length / 3)
    const half = spoilt((distance, point) => (point[0] > 0.1 ? Number.NaN : distance))
    const halfBall = solidOf(half, AROUND)
    const pair = new SolidPair(halfBall, BALL)
    expect(pair.update(HERE, at(1.5)).unanswered).toBeGreaterThan(0)
    expect(pair.contacts.count).toBe(0)
    const other = pair.update(HERE, at(-1.5))
    expect(other.at(0).separation).toBeCloseTo(-0.3, 6)
    expectFinite(other)
    // Far away nothing is asked.
    expect(pair.update(HERE, at(-9)).unanswered).toBe(0)
  })

  it('is met by its distances where only gradients are none', () => {
    const flat = spoilt((distance, _, gradient) => {
      gradient.fill(Number.NaN)
      return distance
    })
    const list = meet(solidOf(flat, AROUND), HERE, BALL, at(1.5))
    expect(list.count).toBeGreaterThan(0)
    expect(list.at(0).separation).toBeCloseTo(-0.3, 1)
    expect(contactsOf(list).some(({ limit }) => limit === 'slope')).toBe(true)
    expectFinite(list)
  })
})

describe('a field whose values are no distances', () => {
  it.each([
    ['a million times as steep', (distance: number) => 1e6 * distance],
    ['only a sign', (distance: number) => Math.sign(distance)],
  ])('is refused: %s', (_, spoil) => {
    expect(() => solidOf(spoilt(spoil), AROUND)).toThrow(/far larger than distances are; divide them by their slope/)
  })

  it('is refused where it is steeper than it says, and met where it says so', () => {
    const steep = (by: number) =>
      spoilt((distance, _, gradient) => {
        for (let k = 0; k < 3; k++) gradient[k] *= by
        return by * distance
      })
    expect(() => solidOf(steep(2.2), AROUND)).toThrow(
      /changes by 2.2 m per metre at its surface; give distances, or say/,
    )
    for (const slope of [2.2, 30]) {
      const list = meet(solidOf({ ...steep(slope), slope } as SignedField, AROUND), HERE, BALL, at(1.5))
      // Twice: by the ball's distances, and by the steep ones.
      expect(list.at(0)).toMatchObject({ limit: 'slope', separation: expect.closeTo(-0.3 * slope, 6) })
      expect(contactsOf(list).find(({ limit }) => limit === 'none')?.separation).toBeCloseTo(-0.3, 6)
      expectFinite(list)
    }
  })

  it.each([
    ['twisted', twisted(box([0.2, 0.5, 0.3]), 6), 1.1],
    ['bent', bent(box([0.6, 0.1, 0.1]), 2), 1.2],
    ['heart', heart(1), 1.6],
  ])('is met, and says so: %s', (_, shape, x) => {
    const list = meet(solid(shape), HERE, BALL, at(x))
    expect(list.count).toBeGreaterThan(0)
    expect(contactsOf(list).some(({ limit }) => limit === 'slope')).toBe(true)
    expectFinite(list)
  })

  it('ends within its steps where values jump from point to point', () => {
    const noisy = spoilt((distance, point) => distance + 0.3 * Math.sin(1e4 * point[0]) * Math.cos(1e4 * point[1]))
    const wide: Box = { lower: [-1.5, -1.5, -1.5], upper: [1.5, 1.5, 1.5] }
    expectFinite(meet(solidOf(noisy, wide), HERE, BALL, at(1.5)))
  })
})

describe('bodies that are not there', () => {
  it('are refused in one line', () => {
    const nowhere = intersection(sphere(0.2), placed(sphere(0.2), { at: [1, 0, 0] }))
    expect(() => solid(nowhere)).toThrow(/no surface in the box, all of which is outside; give the box that holds/)
    const ball = fieldOf(sphere(9))
    expect(() => solidOf(ball, AROUND)).toThrow(/no surface in the box, all of which is inside; give a larger box/)
    expect(() => solidOf(ball, { lower: [0, Number.NaN, 0], upper: [1, 1, 1] })).toThrow(/the box goes from NaN to 1/)
    expect(() => solidOf(ball, { lower: [0, 2, 0], upper: [1, 1, 1] })).toThrow(/the box goes from 2 to 1; give/)
    expect(() => solidOf(ball, { lower: [0, 0, 0], upper: [0, 0, 0] })).toThrow(/the box is 0 m long/)
  })
})

describe('bodies larger than their box', () => {
  const bar = fieldOf(box([2, 0.2, 0.2]))
  const half = (x: number): Box => ({ lower: [-x, -0.2, -0.2], upper: [x, 0.2, 0.2] })

  it('are refused where a face cuts them, also if the field tells little of its inside', () => {
    const cut =
      /^solid: the body goes on beyond its box, at -?1\b.*; give a box that holds it, or one without an end\.$/
    expect(() => solidOf(bar, half(1))).toThrow(cut)
    const clamped = {
      query(points: never, count: number, distances: Float64Array, gradients?: Float64Array): void {
        bar.query(points, count, distances, gradients)
        for (let i = 0; i < count; i++) distances[i] = Math.max(distances[i], -0.01)
      },
      bounds: () => undefined,
    }
    expect(() => solidOf(clamped, half(1), { band: 0.01 })).toThrow(cut)
  })

  it('are met as they are where it holds them, if only just', () => {
    expect(solidOf(bar, half(2)).points.length).toBeGreaterThan(0)
    // As much as a learned field may be off.
    expect(solidOf(bar, half(1.98)).points.length).toBeGreaterThan(0)
  })
})

describe('an overlap deeper than can be told', () => {
  it('says that one body lies within the other, from either side', () => {
    const small = solid(sphere(0.2))
    for (const list of [meet(small, at(0.3), BALL, HERE), meet(BALL, HERE, small, at(0.3))]) {
      expect(list.at(0).limit).toBe('nested')
      // The far side of the small ball, .1 from the middle.
      expect(list.at(0).separation).toBeCloseTo(-0.9, 3)
      expectFinite(list)
    }
    expect(meet(small, at(0.9), BALL, HERE).at(0).limit).toBe('none')
  })

  it('tells of the same body in the same place how deep it is at least, whatever field it has', () => {
    const grid = VoxelField.sample(fieldOf(sphere(0.6)), AROUND, { resolution: 24 })
    for (const [each, width] of [
      [BALL, 2],
      [solid(box([0.5, 0.2, 0.7])), 0.4],
      [solid(torus(0.5, 0.2)), 0.4],
      [solidOf(grid, AROUND), 1.2],
    ] as const) {
      // Also where rounding puts all of one's surface outside the other.
      for (const off of [0, 1e-12, 0.01 * width]) {
        const list = meet(each, HERE, each, at(off))
        expect(list.at(0).limit).toBe('room')
        expect(list.at(0).separation).toBeLessThan(-0.8 * width)
        expect(list.at(0).separation).toBeGreaterThan(-1.02 * width)
        expectFinite(list)
      }
    }
  })

  it('is told where it is not twice as deep as surfaces are, too, which lead further in', () => {
    const cube = solid(box([0.5, 0.5, 0.5]))
    const moved = meet(cube, HERE, cube, at(0.4)).at(0)
    expect(moved.limit).toBe('room')
    expect(moved.separation).toBeLessThan(-0.5)
    expect(moved.normal[0]).toBeCloseTo(1, 2)
    const slab = solid(box([0.5, 0.1, 0.5]))
    expect(meet(slab, HERE, slab, at(0.15)).at(0).limit).toBe('room')
  })

  it('is told anew in every pose, and leaves the other contacts on both surfaces', () => {
    const pair = new SolidPair(BALL, BALL)
    for (const x of [0.01, 0.02, 0.03]) {
      const [deepest, ...others] = contactsOf(pair.update(HERE, at(x)))
      expect(deepest.limit).toBe('room')
      expect(others.length).toBeGreaterThan(0)
      for (const { limit, pointA, separation } of others) {
        expect(limit).toBe('none')
        expect(Math.abs(Math.hypot(...pointA) - 1)).toBeLessThan(1e-6)
        expect(separation).toBeGreaterThan(-x - 1e-6)
      }
    }
  })

  it('leads nearly all the way out of bodies that are nearly in the same place', () => {
    for (const shape of [box([0.2, 0.5, 0.7]), sphere(0.5)]) {
      const body = solid(shape)
      for (const off of [0, 0.02, -0.02]) {
        const { normal, separation } = meet(body, HERE, body, at(off)).at(0)
        const [x, y, z] = normal.map((value) => -separation * value)
        const left = meet(body, HERE, body, at(off + x, y, z))
        expect(left.count > 0 ? left.at(0).separation : 0).toBeGreaterThan(-0.08)
      }
    }
  })

  it('says so beyond the band of a field, inside where that is flat, too', () => {
    // Told up to .1, as of a narrow band or a network.
    const clamped = spoilt((distance, _, gradient) => {
      if (Math.abs(distance) >= 0.1) gradient.fill(0)
      return Math.min(0.1, Math.max(-0.1, distance))
    })
    const narrow = { ...solid(sphere(0.8)), field: clamped, band: 0.1 }
    const spike = solid(box([0.05, 0.05, 0.4]))
    const deep = meet(spike, at(0, 0, 0.7), narrow, HERE)
    expect(deep.at(0)).toMatchObject({ limit: 'band', separation: -0.1 })
    expectFinite(deep)
    // All of it where the field is flat.
    const inside = meet(spike, HERE, narrow, HERE)
    expect(inside.count).toBeGreaterThan(0)
    expect(contactsOf(inside).every(({ limit }) => limit === 'band')).toBe(true)
    expectFinite(inside)
    expect(meet(spike, at(0, 0, 1.15), narrow, HERE).at(0)).toMatchObject({ limit: 'none' })
    // Told by the band alone, and by the flat answer alone.
    expect(meet(spike, at(0, 0, 0.7), { ...narrow, field: fieldOf(sphere(0.8)) }, HERE).at(0).limit).toBe('band')
    expect(meet(spike, at(0, 0, 0.7), { ...narrow, band: Infinity }, HERE).at(0).limit).toBe('band')
  })

  it('is not said of what the fields can tell', () => {
    const cube = solid(box([0.5, 0.5, 0.5]))
    for (const y of [0.49, 0.3, -0.2, -0.45]) {
      const list = meet(cube, at(0, y), GROUND, HERE)
      expect(contactsOf(list).map(({ limit }) => limit)).toEqual(new Array(list.count).fill('none'))
    }
    for (const x of [1.99, 1.5, 1.05]) expect(meet(BALL, HERE, BALL, at(x)).at(0).limit).toBe('none')
  })
})

describe('poses and options', () => {
  it('are refused where they mirror, shear or project', () => {
    const changed = (index: number, value: number): number[] => HERE.map((old, i) => (i === index ? value : old))
    expect(() => meet(BALL, changed(0, -1), BALL, HERE)).toThrow('pose of A mirrors; give a rigid one')
    expect(() => meet(BALL, HERE, BALL, changed(4, 0.1))).toThrow('pose of B shears or scales its axes unevenly')
    expect(() => meet(BALL, HERE, BALL, changed(3, 0.5))).toThrow('pose of B has 0.5 in its last row')
    expect(() => meet(BALL, changed(15, 2), BALL, HERE)).toThrow('pose of A has 2 in its last row')
  })

  it('take no more contacts than there is room for', () => {
    expect(() => new SolidPair(BALL, BALL, { maxContacts: 1e9 })).toThrow('maxContacts is 1000000000; give a whole')
    expect(() => new SolidPair(BALL, BALL, { maxContacts: 2.5 })).toThrow('maxContacts is 2.5')
  })

  it('may be as far away as numbers go', () => {
    expect(meet(BALL, at(1e300), BALL, at(-1e300)).count).toBe(0)
    const far = meet(BALL, at(1e15), BALL, at(1e15 + 1)).at(0)
    expect(far.separation).toBeCloseTo(-1, 6)
    expect([...far.pointA, ...far.pointB, ...far.normal].every(Number.isFinite)).toBe(true)
  })
})
