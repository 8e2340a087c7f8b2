import { describe, expect, test } from 'vitest'
import { findBoundaryPoint, makeBoundaryPoint } from '../../../src/exact/self-contact/boundary-point.js'
import { LinearSelfContact, type LinearShape } from '../../../src/exact/self-contact/linear-self-contact.js'
import { NeighbourRule } from '../../../src/exact/self-contact/neighbour-rule.js'
import {
  PosedSelfContact,
  type PosedShape,
  posedSelfContact,
} from '../../../src/exact/self-contact/posed-self-contact.js'
import type { Floats } from '../../../src/math/floats.js'
import { randomStream } from '../../../src/math/random.js'
import { bendingRing } from './ring.js'

/** The ring, bent by modes of which each follows its entry of the code in a curve: q -> q + q^3 / 2. */
function curved(shape: LinearShape, amount: number): PosedShape {
  const { rest, modes, triangles, bounds } = shape
  const size = bounds.lower.length
  const weight = (q: number): number => q + (amount * q ** 3) / 2
  const slope = (q: number): number => 1 + 1.5 * amount * q * q
  const place = (code: ArrayLike<number>, i: number): number => {
    let value = rest[i]
    for (let k = 0; k < size; k++) value += weight(code[k]) * modes[k * rest.length + i]
    return value
  }
  const movedPoints = (vertices: ArrayLike<number>) => ({
    positions(code: ArrayLike<number>, out: Floats) {
      for (let i = 0; i < 3 * vertices.length; i++) out[i] = place(code, 3 * vertices[Math.floor(i / 3)] + (i % 3))
    },
    pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats) {
      for (let k = 0; k < size; k++) {
        out[k] = 0
        for (let i = 0; i < 3 * vertices.length; i++) {
          const at = k * rest.length + 3 * vertices[Math.floor(i / 3)] + (i % 3)
          out[k] += slope(code[k]) * modes[at] * cotangents[i]
        }
      }
    },
  })
  const all = movedPoints(Array.from({ length: rest.length / 3 }, (_, i) => i))
  return { codeSize: size, bounds, vertexCount: rest.length / 3, triangles, positions: all.positions, movedPoints }
}

const drawn = (count: number, seed: number): Float64Array[] => {
  const random = randomStream(seed)
  return Array.from({ length: count }, () => Float64Array.from({ length: 3 }, () => random.between(-1, 1)))
}

describe('exact self-contact of posed shapes', () => {
  const ring = bendingRing(3)

  test('says of a linear shape what the test for those says, seed 31', () => {
    const posed = new PosedSelfContact(curved(ring, 0))
    const linear = new LinearSelfContact(ring)
    const codes = drawn(300, 31)
    const expected = codes.map((code) => linear.touches(code))
    expect(codes.map((code) => posed.touches(code))).toEqual(expected)
    expect(expected.filter(Boolean).length).toBeGreaterThan(8)
    const out = new Int8Array(300)
    posed.touchesAll(Float64Array.from(codes.flatMap((code) => [...code])), 300, out)
    expect([...out]).toEqual(expected.map(Number))
    expect(posed.tests).toBe(600)
    codes.forEach((code, i) => {
      expect(posed.meetingPairs(code).length > 0).toBe(expected[i])
      expect(posed.depth(code) > 0).toBe(expected[i])
    })
  })

  test('finds points of the boundary with their normals where shapes follow the code in curves, seed 32', () => {
    const contact = new PosedSelfContact(curved(ring, 1))
    const codes = drawn(300, 32)
    const free = codes.filter((code) => !contact.touches(code))
    const touching = codes.filter((code) => contact.touches(code))
    const point = makeBoundaryPoint(3)
    let right = 0
    for (let i = 0; i < 40; i++) {
      expect(findBoundaryPoint(contact, free[i], touching[i % touching.length], point)).toBe(true)
      expect(contact.touches(point.code)).toBe(false)
      const along = (step: number) => point.code.map((value, k) => value + step * point.normal[k])
      if (!contact.touches(along(1e-4)) && contact.touches(along(-1e-4))) right++
      // Further that way the pair itself stays apart, whatever else meets.
      const [a, b] = point.triangles
      contact.moveTo(along(0.002))
      expect(contact.pairMeets(a, b)).toBe(false)
    }
    expect(right).toBeGreaterThanOrEqual(37)
  })

  test('leaves neighbours alone', () => {
    const rest = { positions: ring.rest, triangles: ring.triangles }
    const all = new PosedSelfContact(curved(ring, 0))
    const none = new PosedSelfContact(curved(ring, 0), new NeighbourRule(rest, undefined, { along: 10 }))
    const code = drawn(300, 33).find((one) => all.touches(one))!
    expect(none.touches(code)).toBe(false)
    expect(none.meetingPairs(code)).toHaveLength(0)
  })

  test('tells neighbours by the surface at rest where one is given, else by that at the code of zeros', () => {
    const shape = curved(ring, 0)
    const code = drawn(300, 33).find((one) => new PosedSelfContact(shape).touches(one))!
    const touching = new Float64Array(3 * shape.vertexCount)
    shape.positions(code, touching)
    const neighbours = { along: 0, near: 0 }
    const own = posedSelfContact({ ...shape, neighbours })
    expect(own.rest.positions).toEqual(ring.rest)
    expect(own.test.touches(code)).toBe(true)
    // What meets in the reference may meet.
    const told = posedSelfContact({ ...shape, rest: touching, neighbours })
    expect(told.rest.positions).toEqual(touching)
    expect(told.test.touches(code)).toBe(false)
  })

  test('refuses codes that are not finite or of another length', () => {
    const contact = new PosedSelfContact(curved(ring, 0))
    expect(() => contact.touches([0, 0])).toThrow(/self-contact: Array of 2 for 3 code values/)
    expect(() => contact.touches([0, Number.NaN, 0])).toThrow(/self-contact: code value 1 is NaN/)
  })
})
