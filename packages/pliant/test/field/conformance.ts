/**
 * What every signed field must keep, whatever it is made of: batch equals single, with gradients and without, gradients equal finite differences,
 * the sign is right at known points, bounds contain samples, single and double precision arrays both work.
 */
import { describe, expect, it } from 'vitest'
import type { SignedField } from '../../src/field/signed-field.js'
import type { Box } from '../../src/math/box.js'
import { randomStream } from '../../src/math/random.js'

export interface ConformanceCase {
  name: string
  make(): SignedField | Promise<SignedField>
  /** Where points are drawn from. */
  box: Box
  /** Points certainly inside and certainly outside. */
  inside: [number, number, number][]
  outside: [number, number, number][]
  /** Largest difference between gradient and central differences, for all but `kinks` of the points. */
  gradientTolerance: number
  /** Step of the central differences [m]. */
  step?: number
  /** Share of points that may sit on a kink of the field (edges, medial axis, cell faces). */
  kinks?: number
  /** Whether bounds of a box inside the domain must be known. */
  bounded?: boolean
  seed?: number
}

const COUNT = 600

export function conformField(test: ConformanceCase): void {
  const seed = test.seed ?? 7
  describe(`${test.name} keeps the field's promises (seed ${seed})`, () => {
    const points = drawPoints(test.box, COUNT, seed)

    it('is negative inside and positive outside', async () => {
      const field = await test.make()
      const out = new Float64Array(1)
      for (const point of test.inside) {
        field.query(Float64Array.from(point), 1, out)
        expect(out[0], `at ${point}`).toBeLessThan(0)
      }
      for (const point of test.outside) {
        field.query(Float64Array.from(point), 1, out)
        expect(out[0], `at ${point}`).toBeGreaterThan(0)
      }
    })

    it('answers a batch as it answers each point alone, with gradients and without', async () => {
      const field = await test.make()
      const batch = new Float64Array(COUNT)
      const both = new Float64Array(COUNT)
      field.query(points, COUNT, batch)
      field.query(points, COUNT, both, new Float64Array(3 * COUNT))
      expect(both).toEqual(batch)
      const single = new Float64Array(1)
      for (let i = 0; i < COUNT; i++) {
        field.query(points.subarray(3 * i, 3 * i + 3), 1, single)
        expect(Math.abs(single[0] - batch[i])).toBeLessThan(1e-5)
      }
    })

    it('writes exactly count answers', async () => {
      const field = await test.make()
      const out = new Float64Array(COUNT).fill(99)
      const gradients = new Float64Array(3 * COUNT).fill(99)
      field.query(points, 5, out, gradients)
      field.query(points, 0, out)
      expect(out.subarray(5).every((value) => value === 99)).toBe(true)
      expect(gradients.subarray(15).every((value) => value === 99)).toBe(true)
      expect(out.subarray(0, 5).every((value) => value !== 99)).toBe(true)
    })

    it('takes single precision arrays too', async () => {
      const field = await test.make()
      const single = Float32Array.from(points)
      const fromSingle = new Float32Array(COUNT)
      const fromDouble = new Float64Array(COUNT)
      field.query(single, COUNT, fromSingle)
      field.query(Float64Array.from(single), COUNT, fromDouble)
      for (let i = 0; i < COUNT; i++) expect(Math.abs(fromSingle[i] - fromDouble[i])).toBeLessThan(1e-5)
    })

    it('has the gradient that finite differences show', async () => {
      const field = await test.make()
      const step = test.step ?? 1e-5
      const distances = new Float64Array(COUNT)
      const gradients = new Float64Array(3 * COUNT)
      field.query(points, COUNT, distances, gradients)
      const shifted = Float64Array.from(points)
      const above = new Float64Array(COUNT)
      const below = new Float64Array(COUNT)
      const wrong = new Set<number>()
      for (let axis = 0; axis < 3; axis++) {
        const shift = (by: number, out: Float64Array): void => {
          for (let i = 0; i < COUNT; i++) shifted[3 * i + axis] = points[3 * i + axis] + by
          field.query(shifted, COUNT, out)
        }
        shift(step, above)
        shift(-step, below)
        for (let i = 0; i < COUNT; i++) {
          shifted[3 * i + axis] = points[3 * i + axis]
          const difference = (above[i] - below[i]) / (2 * step)
          if (!(Math.abs(difference - gradients[3 * i + axis]) <= test.gradientTolerance)) wrong.add(i)
        }
      }
      expect(wrong.size).toBeLessThanOrEqual((test.kinks ?? 0) * COUNT)
    })

    it('refuses arrays that are too short, also for gradients alone', async () => {
      const field = await test.make()
      const [distances, gradients] = [new Float64Array(COUNT), new Float64Array(3 * COUNT)]
      expect(() => field.query(points.subarray(1), COUNT, distances)).toThrow(RangeError)
      expect(() => field.query(points, COUNT, distances.subarray(1))).toThrow(RangeError)
      const short = () => field.query(points, COUNT, distances, gradients.subarray(1))
      expect(short).toThrow(RangeError)
      // By ours, not by that of an array which is written beyond its end.
      expect(short).toThrow('query: room for 1799 gradient values; 600 points need 1800')
      expect(distances.every((value) => value === 0)).toBe(true)
    })

    it('bounds boxes so that samples lie between', async () => {
      const field = await test.make()
      const random = randomStream(seed, 2)
      const out = new Float64Array(50)
      let known = 0
      for (let n = 0; n < 60; n++) {
        const box = smallBox(test.box, random.uniform, n < 30 ? 0 : 3)
        const bounds = field.bounds(box)
        if (!bounds) continue
        known++
        field.query(drawPoints(box, 50, seed + n), 50, out)
        for (const value of out) {
          expect(value).toBeGreaterThanOrEqual(bounds[0] - 1e-6)
          expect(value).toBeLessThanOrEqual(bounds[1] + 1e-6)
        }
      }
      if (test.bounded) expect(known).toBeGreaterThan(10)
    })
  })
}

function drawPoints(box: Box, count: number, seed: number): Float64Array {
  const random = randomStream(seed, 1)
  return Float64Array.from({ length: 3 * count }, (_, i) => random.between(box.lower[i % 3], box.upper[i % 3]))
}

/** A box of up to a third of the size, inside the given one, or moved outward by `away` sizes. */
function smallBox(box: Box, uniform: () => number, away: number): Box {
  const lower = [0, 0, 0]
  const upper = [0, 0, 0]
  for (let axis = 0; axis < 3; axis++) {
    const side = box.upper[axis] - box.lower[axis]
    const size = (uniform() * side) / 3
    lower[axis] = box.lower[axis] + uniform() * (side - size) + away * side * (axis === 0 ? 1 : 0)
    upper[axis] = lower[axis] + size
  }
  return { lower: lower as never, upper: upper as never }
}
