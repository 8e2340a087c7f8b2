import { describe, expect, test, vi } from 'vitest'
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

  test('serves codes a little outside as within, if it is made so, and the others by the plain test; seed 21', () => {
    const shape = bendingRing(3)
    const wide = new LinearSelfContact(shape, { beyond: 0.1 })
    const plain = plainTest(shape)
    const codes = drawn(300, 3, 1.2, 21)
    const expected = codes.map(plain)
    const isOutside = (code: Float64Array): boolean => code.some((value) => Math.abs(value) > 1)
    // Both answers must be asked for outside.
    expect(codes.some((code, i) => isOutside(code) && expected[i])).toBe(true)
    expect(codes.some((code, i) => isOutside(code) && !expected[i])).toBe(true)
    const plainUpdates = vi.spyOn(SelfIntersection.prototype, 'update')
    codes.forEach((code, i) => {
      expect(wide.touches(code)).toBe(expected[i])
    })
    expect(plainUpdates).not.toHaveBeenCalled()
    wide.touches([0, 0, 1.21])
    expect(plainUpdates).toHaveBeenCalledOnce()
    plainUpdates.mockRestore()
    expect(wide.possiblePairs).toBeGreaterThan(new LinearSelfContact(shape).possiblePairs)
    expect(() => new LinearSelfContact(shape, { beyond: -0.1 })).toThrow(/beyond is -0.1/)
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

describe('exact self-contact of many codes', () => {
  const kernels = ['simd', 'scalar'] as const

  test.each(kernels)('says what single codes are told, in batches of any size (%s, seed 17)', (kernel) => {
    const shape = bendingRing(4)
    const single = new LinearSelfContact(shape)
    const codes = drawn(1000, 4, 1, 17)
    const expected = codes.map((code) => Number(single.touches(code)))
    const flat = Float64Array.from(codes.flatMap((code) => [...code]))
    const contact = new LinearSelfContact(shape, { kernel })
    for (const count of [0, 1, 3, 4, 5, 1000]) {
      const out = new Int8Array(count + 1).fill(7)
      const before = contact.tests
      contact.touchesAll(flat.subarray(0, 4 * count), count, out)
      // And nothing behind them.
      expect([...out]).toEqual([...expected.slice(0, count), 7])
      expect(contact.tests - before).toBe(count)
    }
  })

  test.each(kernels)(
    'tells codes apart that lie 1e-7 and 1e-9 on either side of the boundary (%s, seed 18)',
    (kernel) => {
      const shape = bendingRing(3)
      const contact = new LinearSelfContact(shape, { kernel })
      const plain = plainTest(shape)
      const codes = drawn(200, 3, 1, 18)
      const free = codes.filter((code) => !plain(code))
      const touching = codes.filter(plain)
      const near: number[] = []
      const point = makeBoundaryPoint(3)
      for (const [i, from] of free.slice(0, 60).entries()) {
        const to = touching[i % touching.length]
        findBoundaryPoint(contact, from, to, point)
        for (const offset of [-1e-7, -1e-9, 0, 1e-9, 1e-7]) {
          near.push(...point.code.map((value, k) => value + offset * (to[k] - from[k])))
        }
      }
      const count = near.length / 3
      const out = new Int8Array(count)
      const batch = Float64Array.from(near)
      contact.touchesAll(batch, count, out)
      const expected = Array.from({ length: count }, (_, i) => Number(plain(batch.subarray(3 * i, 3 * i + 3))))
      expect([...out]).toEqual(expected)
      const met = expected.filter((value) => value === 1).length
      expect(met).toBeGreaterThan(0.3 * count)
      expect(met).toBeLessThan(0.7 * count)
    },
  )

  test.each(kernels)('takes codes outside of the box among others, in single precision too (%s, seed 19)', (kernel) => {
    const shape = bendingRing(3)
    const contact = new LinearSelfContact(shape, { kernel })
    const plain = plainTest(shape)
    const codes = Float32Array.from(drawn(61, 3, 1.5, 19).flatMap((code) => [...code]))
    const out = new Int8Array(61)
    contact.moveTo([0.1, 0.2, 0.3])
    const asked = contact.positions.slice()
    contact.touchesAll(codes, 61, out)
    for (let i = 0; i < 61; i++) expect(out[i]).toBe(Number(plain(codes.subarray(3 * i, 3 * i + 3))))
    // What was asked alone stays.
    expect(contact.positions).toEqual(asked)
  })

  test.each(kernels)('takes one mode, a box without width, and triangles that lie on each other (%s)', (kernel) => {
    const shape = bendingRing(1)
    const doubled = { ...shape, triangles: Uint32Array.from([...shape.triangles, ...shape.triangles]) }
    const still = { ...bendingRing(2), bounds: { lower: Float64Array.of(0, 0), upper: Float64Array.of(0, 1) } }
    for (const body of [shape, doubled, still]) {
      const contact = new LinearSelfContact(body, { kernel })
      const plain = plainTest(body)
      const size = body.bounds.lower.length
      const out = new Int8Array(9)
      const codes = Float64Array.from({ length: 9 * size }, (_, i) => (size === 1 ? i / 4 - 1 : i % 2 ? i / 18 : 0))
      contact.touchesAll(codes, 9, out)
      for (let i = 0; i < 9; i++) expect(out[i]).toBe(Number(plain(codes.subarray(i * size, (i + 1) * size))))
    }
  })

  test.each(kernels)('counts touching as contact, to the last bit (%s)', (kernel) => {
    // One triangle above another comes down on it: flat on flat, then with a corner ahead.
    for (const ahead of [0, 0.25]) {
      const rest = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 1 - ahead, 1, 0.25, 1, 0.25, 1, 1)
      const modes = Float64Array.from(rest, (_, i) => (i >= 9 && i % 3 === 2 ? -1 : 0))
      const bounds = { lower: Float64Array.of(0), upper: Float64Array.of(1) }
      const contact = new LinearSelfContact(
        { rest, modes, triangles: Uint32Array.of(0, 1, 2, 3, 4, 5), bounds },
        { kernel },
      )
      const out = new Int8Array(3)
      const meeting = 1 - ahead
      contact.touchesAll(Float64Array.of(meeting, meeting - 2 ** -50, meeting - 1e-7), 3, out)
      expect([...out]).toEqual([1, 0, 0])
      expect(contact.touches([meeting])).toBe(true)
    }
  })

  test.each(kernels)('takes positions as doubles round them, far from the origin (%s)', (kernel) => {
    // Doubles near 2^40 are 2^-12 apart: the triangles touch though the true gap is a quarter of that.
    const [away, last] = [2 ** 40, 1 - 2 ** -14]
    const rest = Float64Array.of(0, 0, away, 1, 0, away, 0, 1, away, 0, 0, away + 1, 1, 0, away + 1, 0, 1, away + 1)
    const modes = Float64Array.from(rest, (_, i) => (i >= 9 && i % 3 === 2 ? -1 : 0))
    for (const end of [1, last]) {
      const bounds = { lower: Float64Array.of(0), upper: Float64Array.of(end) }
      const shape = { rest, modes, triangles: Uint32Array.of(0, 1, 2, 3, 4, 5), bounds }
      expect(plainTest(shape)([last])).toBe(true)
      expect(new LinearSelfContact(shape, { kernel }).touches([last])).toBe(true)
    }
  })

  test('finds triangles that no box tells apart', () => {
    // One triangle five times, each on vertices of its own.
    const [corners, copies] = [[0, 0, 0, 1, 0, 0, 0, 1, 0], 5]
    const rest = Float64Array.from({ length: 9 * copies }, (_, i) => corners[i % 9])
    const triangles = Uint32Array.from({ length: 3 * copies }, (_, i) => i)
    const modes = new Float64Array(rest.length)
    const bounds = { lower: Float64Array.of(-1), upper: Float64Array.of(1) }
    const pairs = new LinearSelfContact({ rest, modes, triangles, bounds }).meetingPairs([0])
    expect(pairs.length / 2).toBe((copies * (copies - 1)) / 2)
  })

  test('refuses what is no batch, before anything is written', () => {
    const contact = new LinearSelfContact(bendingRing(3))
    const out = new Int8Array(2).fill(7)
    const codes = new Float64Array(6)
    expect(() => contact.touchesAll(new Float64Array(5), 2, out)).toThrow(/5 values for 2 codes; pass 6/)
    expect(() => contact.touchesAll(codes, 1.5, out)).toThrow(/1.5 codes asked/)
    expect(() => contact.touchesAll(codes, -1, out)).toThrow(/-1 codes asked/)
    expect(() => contact.touchesAll(codes, 2, new Int8Array(1))).toThrow(/Int8Array of 1; 2 codes/)
    expect(() => contact.touchesAll([0, 0, 0] as unknown as Float64Array, 1, out)).toThrow(/pass a Float32Array/)
    expect(() => contact.touchesAll(Float64Array.of(0, 0, 0, 0, Number.NaN, 0), 2, out)).toThrow(/code 1 is NaN/)
    expect([...out]).toEqual([7, 7])
    expect(contact.tests).toBe(0)
  })

  test('refuses modes and boxes that are not finite', () => {
    const shape = bendingRing(2)
    const bounds = { lower: Float64Array.of(-1, -Infinity), upper: Float64Array.of(1, 1) }
    expect(() => new LinearSelfContact({ ...shape, bounds })).toThrow(/lower end 1 is -Infinity/)
    const modes = shape.modes.slice()
    modes[5] = Number.NaN
    expect(() => new LinearSelfContact({ ...shape, modes })).toThrow(/mode value 5 is NaN/)
    const short = { lower: shape.bounds.lower, upper: Float64Array.of(1) }
    expect(() => new LinearSelfContact({ ...shape, bounds: short })).toThrow(/2 lower and 1 upper/)
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

  test('are where the way first touches, though it may be free again behind', () => {
    const point = makeBoundaryPoint(3)
    const steps = 64
    const out = new Int8Array(steps)
    for (let i = 0; i < 40; i++) {
      const [from, to] = [free[i], touching[i % touching.length]]
      findBoundaryPoint(contact, from, to, point)
      const before = Float64Array.from({ length: 3 * steps }, (_, j) => {
        const k = j % 3
        return from[k] + (Math.floor(j / 3) / steps) * (point.code[k] - from[k])
      })
      contact.touchesAll(before, steps, out)
      expect(out).not.toContain(1)
    }
  })

  test('have the pair of triangles that meets just beyond, and weights of their corners', () => {
    const point = makeBoundaryPoint(3)
    for (let i = 0; i < 40; i++) {
      const [from, to] = [free[i], touching[i % touching.length]]
      findBoundaryPoint(contact, from, to, point)
      const [a, b] = point.triangles
      contact.moveTo(point.code.map((value, k) => value + 1e-9 * (to[k] - from[k])))
      expect(contact.pairMeets(a, b)).toBe(true)
      contact.moveTo(point.code)
      expect(contact.pairMeets(a, b)).toBe(false)
      for (const o of [0, 3]) {
        expect(point.weights[o] + point.weights[o + 1] + point.weights[o + 2]).toBeCloseTo(1, 9)
      }
    }
  })

  test('are not found on a way that ends free, nor on one that begins touching', () => {
    expect(findBoundaryPoint(contact, free[0], free[1], makeBoundaryPoint(3))).toBe(false)
    expect(findBoundaryPoint(contact, touching[0], touching[0], makeBoundaryPoint(3))).toBe(false)
  })

  test('come from pairs that meet: all of them, as the plain test lists them', () => {
    const whole = new SelfIntersection({ positions: shape.rest, triangles: shape.triangles })
    const sorted = (pairs: ArrayLike<number>): string[] =>
      Array.from({ length: pairs.length / 2 }, (_, i) =>
        [pairs[2 * i], pairs[2 * i + 1]].sort((a, b) => a - b).join(' '),
      ).sort()
    const outside = Float64Array.of(1.2, -1.1, 0.3)
    for (const code of [...codes.slice(0, 60), outside]) {
      const pairs = contact.meetingPairs(code)
      whole.update(contact.positions)
      expect(sorted(pairs)).toEqual(sorted(whole.pairs().pairs))
    }
  })
})
