/**
 * What every field over codes must keep: batch equals single, with gradients and without, gradients equal finite differences, the sign is right at
 * known codes, single and double precision arrays both work, codes that are not finite get NaN.
 */
import { describe, expect, it } from 'vitest'
import type { ConfigurationField } from '../../src/field/configuration-field.js'
import { randomStream } from '../../src/math/random.js'

export interface ConfigurationCase {
  name: string
  make(): ConfigurationField | Promise<ConfigurationField>
  /** Codes certainly free, and certainly touching themselves. */
  free: number[][]
  touching: number[][]
  /** Largest difference between gradient and central differences, for all but `kinks` of the codes. */
  gradientTolerance: number
  /** Step of the central differences, in the unit of the code. */
  step?: number
  kinks?: number
  seed?: number
}

const COUNT = 200

export function conformConfiguration(test: ConfigurationCase): void {
  const seed = test.seed ?? 7
  describe(`${test.name} keeps the promises of a field over codes (seed ${seed})`, () => {
    const drawn = (size: number): Float64Array => {
      const random = randomStream(seed, 1)
      return Float64Array.from({ length: COUNT * size }, () => random.between(-1, 1))
    }

    it('is positive where the shape is free and negative where it touches itself', async () => {
      const field = await test.make()
      const out = new Float64Array(1)
      for (const code of test.free) {
        field.query(Float64Array.from(code), 1, out)
        expect(out[0], `at ${code}`).toBeGreaterThan(0)
      }
      for (const code of test.touching) {
        field.query(Float64Array.from(code), 1, out)
        expect(out[0], `at ${code}`).toBeLessThan(0)
      }
    })

    it('answers a batch as it answers each code alone, with gradients and without, in either precision', async () => {
      const field = await test.make()
      const { codeSize } = field
      const codes = Float32Array.from(drawn(codeSize))
      const [batch, both, rounded] = [new Float64Array(COUNT), new Float64Array(COUNT), new Float32Array(COUNT)]
      field.query(codes, COUNT, batch)
      field.query(codes, COUNT, both, new Float64Array(codeSize * COUNT))
      field.query(Float64Array.from(codes), COUNT, rounded, new Float32Array(codeSize * COUNT))
      expect(both).toEqual(batch)
      const single = new Float64Array(1)
      for (let i = 0; i < COUNT; i++) {
        field.query(codes.subarray(codeSize * i, codeSize * (i + 1)), 1, single)
        expect(Math.abs(single[0] - batch[i])).toBeLessThan(1e-5)
        expect(Math.abs(rounded[i] - batch[i])).toBeLessThan(1e-5)
      }
    })

    it('writes exactly count answers', async () => {
      const field = await test.make()
      const [out, gradients] = [new Float64Array(9).fill(99), new Float64Array(9 * field.codeSize).fill(99)]
      field.query(drawn(field.codeSize), 4, out, gradients)
      expect(out.subarray(4).every((value) => value === 99)).toBe(true)
      expect(gradients.subarray(4 * field.codeSize).every((value) => value === 99)).toBe(true)
      expect(out.subarray(0, 4).every((value) => value !== 99)).toBe(true)
    })

    it('answers NaN to a code that is not finite, and to no other', async () => {
      const field = await test.make()
      const { codeSize } = field
      const codes = drawn(codeSize).subarray(0, 3 * codeSize)
      codes[codeSize] = Number.NaN
      const [out, gradients] = [new Float64Array(3), new Float64Array(3 * codeSize)]
      field.query(codes, 3, out, gradients)
      expect([...out].map(Number.isNaN)).toEqual([false, true, false])
      expect(gradients.subarray(codeSize, 2 * codeSize).every(Number.isNaN)).toBe(true)
    })

    it('has the gradient that finite differences show', async () => {
      const field = await test.make()
      const { codeSize } = field
      const step = test.step ?? 1e-5
      const codes = drawn(codeSize)
      const [distances, gradients] = [new Float64Array(COUNT), new Float64Array(COUNT * codeSize)]
      field.query(codes, COUNT, distances, gradients)
      const [above, below] = [new Float64Array(COUNT), new Float64Array(COUNT)]
      const wrong = new Set<number>()
      for (let entry = 0; entry < codeSize; entry++) {
        const shifted = (by: number): Float64Array => codes.map((value, i) => value + (i % codeSize === entry ? by : 0))
        field.query(shifted(step), COUNT, above)
        field.query(shifted(-step), COUNT, below)
        for (let i = 0; i < COUNT; i++) {
          const difference = (above[i] - below[i]) / (2 * step)
          if (!(Math.abs(difference - gradients[codeSize * i + entry]) <= test.gradientTolerance)) wrong.add(i)
        }
      }
      expect(wrong.size).toBeLessThanOrEqual((test.kinks ?? 0) * COUNT)
    })

    it('refuses arrays that are too short', async () => {
      const field = await test.make()
      const codes = drawn(field.codeSize)
      expect(() => field.query(codes, COUNT, new Float64Array(COUNT - 1))).toThrow(RangeError)
      expect(() => field.query(codes.subarray(1), COUNT, new Float64Array(COUNT))).toThrow(RangeError)
      const short = new Float64Array(field.codeSize * COUNT - 1)
      expect(() => field.query(codes, COUNT, new Float64Array(COUNT), short)).toThrow(RangeError)
    })
  })
}
