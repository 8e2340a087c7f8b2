/** Where the least clearance is cut: few contacts are missed, and of such cuts most codes are told right. */
import { expect, test } from 'vitest'
import { bestOffset } from '../../../src/learn/posed-contact/learn-clearances.js'

/** Touching at these values, free at those. */
function cut(touching: readonly number[], free: readonly number[], mostMissed = 0.0075): number {
  const values = Float32Array.from([...touching, ...free])
  const signs = Int8Array.from(values, (_, i) => (i < touching.length ? -1 : 1))
  return bestOffset(values, signs, mostMissed)
}

const many = (count: number, of: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => of(i))

test('lies between touching and free codes where they are apart', () => {
  const offset = cut([-3, -2, -1], [2, 4])
  expect(offset).toBe(0.5)
})

test('calls no more than a few in a thousand touching codes free, though that costs', () => {
  // Two of 100 touching codes are among the free ones: without the bound they would be given up.
  const offset = cut(
    [...many(98, (i) => -1 - i), 10.5, 20.5],
    many(1000, (i) => i),
  )
  expect(offset).toBeGreaterThan(20.5)
  expect(offset).toBeLessThan(21)
})

test('gives up as many as it is told to', () => {
  const [touching, free] = [[...many(98, (i) => -1 - i), 10.5, 20.5], many(1000, (i) => i)]
  expect(cut(touching, free, 0.01)).toBeCloseTo(10.75, 1)
  expect(cut(touching, free, 0.02)).toBe(-0.5)
})

test('gives up those that it may, if most are right then', () => {
  // One of 200 is so far off that 900 free codes would be called touching for it.
  const offset = cut(
    [...many(199, (i) => -1 - i), 900.5],
    many(1000, (i) => i),
  )
  expect(offset).toBe(-0.5)
})

test('of a poor network is where the shares of wrong codes are least together', () => {
  // To miss none would call 500 of 1,000 free codes touching.
  const offset = cut(
    [...many(98, (i) => -1 - i), 400.5, 500.5],
    many(1000, (i) => i),
  )
  expect(offset).toBe(-0.5)
  expect(cut([5], [1, 2, 3])).toBeGreaterThan(5)
})
