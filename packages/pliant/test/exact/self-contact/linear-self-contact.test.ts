import { describe, expect, test } from 'vitest'
import { findBoundaryPoint, makeBoundaryPoint } from '../../../src/exact/self-contact/boundary-point.js'
import { LinearSelfContact, type LinearShape } from '../../../src/exact/self-contact/linear-self-contact.js'
import { SelfIntersection } from '../../../src/exact/self-intersection.js'
import { randomStream } from '../../../src/math/random.js'
import { bendingRing } from './ring.js'

/** The plain test at the same positions, nothing ruled out before. */
function plainTest(shape: LinearShape): (code: ArrayLike<number>) => boolean {
  const whole = new SelfIntersection({ positions: shape.rest, triangles: shape.triangles })
  const contact = new LinearSelfContact(shape)
  return (code) => {
    contact.moveTo(code)
    whole.update(contact.positions)
    return whole.any()
  }
}

const drawn = (count: number, size: number, reach: number, seed: number): Float64Array[] => {
  const random = randomStream(seed)
  return Array.from({ length: count }, () => Float64Array.from({ length: size }, () => random.between(-reach, reach)))
}

describe('exact self-contact of linear shapes', () => {
  test.each([1, 3, 6])('says what the plain test says, with %i modes, seed 11', (codeSize) => {
    const shape = bendingRing(codeSize)
    const contact = new LinearSelfContact(shape)
    const plain = plainTest(shape)
    let touching = 0
    for (const code of drawn(400, codeSize, 1, 11)) {
      const expected = plain(code)
      expect(contact.touches(code)).toBe(expected)
      if (expected) touching++
    }
    // Both answers must have been asked for.
    expect(touching).toBeGreaterThan(8)
    expect(touching).toBeLessThan(392)
  })

  test('rules out most pairs for good, and none that can meet', () => {
    const shape = bendingRing(3)
    const contact = new LinearSelfContact(shape)
    const count = shape.triangles.length / 3
    expect(contact.possiblePairs).toBeLessThan((count * (count - 1)) / 8)
    const whole = new SelfIntersection({ positions: shape.rest, triangles: shape.triangles })
    for (const code of drawn(200, 3, 1, 12)) {
      contact.moveTo(code)
      whole.update(contact.positions)
      expect(contact.touches(code)).toBe(whole.pairs().pairs.length > 0)
    }
  })

  test('names a pair that meets', () => {
    const contact = new LinearSelfContact(bendingRing(3))
    for (const code of drawn(200, 3, 1, 13)) {
      if (!contact.touches(code)) continue
      const [a, b] = contact.witness
      expect(a).not.toBe(b)
      expect(contact.pairMeets(a, b)).toBe(true)
    }
  })

  test('answers outside the box of codes as well', () => {
    const shape = bendingRing(3)
    const contact = new LinearSelfContact(shape)
    const plain = plainTest(shape)
    for (const code of drawn(60, 3, 2.5, 14)) expect(contact.touches(code)).toBe(plain(code))
  })

  test('takes a box that is not about zero', () => {
    const shape = bendingRing(3)
    const bounds = { lower: Float64Array.of(0.2, -0.4, 0.1), upper: Float64Array.of(1.4, 0.1, 0.9) }
    const contact = new LinearSelfContact({ ...shape, bounds })
    const plain = plainTest(shape)
    const random = randomStream(15)
    for (let i = 0; i < 150; i++) {
      const code = Float64Array.from(bounds.lower, (low, k) => random.between(low, bounds.upper[k]))
      expect(contact.touches(code)).toBe(plain(code))
    }
  })

  test('refuses codes of another length, and NaN', () => {
    const contact = new LinearSelfContact(bendingRing(3))
    expect(() => contact.touches([0, 0])).toThrow(/self-contact: .*3 code values/)
    expect(() => contact.touches([0, Number.NaN, 0])).toThrow(/code value 1 is NaN/)
  })
})

describe('boundary points', () => {
  const shape = bendingRing(3)
  const contact = new LinearSelfContact(shape)
  const codes = drawn(300, 3, 1, 16)
  const free = codes.filter((code) => !contact.touches(code))
  const touching = codes.filter((code) => contact.touches(code))

  test('lie where free and touching codes meet on the way', () => {
    const point = makeBoundaryPoint(3)
    for (let i = 0; i < 60; i++) {
      const [from, to] = [free[i], touching[i % touching.length]]
      expect(findBoundaryPoint(contact, from, to, point)).toBe(true)
      expect(contact.touches(point.code)).toBe(false)
      const beyond = point.code.map((value, k) => value + 1e-8 * (to[k] - from[k]))
      expect(contact.touches(beyond)).toBe(true)
    }
  })

  test('have the normal along which the nearest free code lies', () => {
    const point = makeBoundaryPoint(3)
    let right = 0
    const tries = 60
    for (let i = 0; i < tries; i++) {
      findBoundaryPoint(contact, free[i], touching[i % touching.length], point)
      expect(Math.hypot(...point.normal)).toBeCloseTo(1, 9)
      const along = (step: number) => point.code.map((value, k) => value + step * point.normal[k])
      if (!contact.touches(along(1e-4)) && contact.touches(along(-1e-4))) right++
    }
    // Where two contacts meet in an edge of the boundary, one step may cross the other.
    expect(right).toBeGreaterThanOrEqual(tries - 3)
  })

  test('are not found on a way that ends free', () => {
    expect(findBoundaryPoint(contact, free[0], free[1], makeBoundaryPoint(3))).toBe(false)
  })
})
