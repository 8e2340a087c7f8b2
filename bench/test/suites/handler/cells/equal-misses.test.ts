import { expect, it } from 'vitest'
import { accuracyAtMissed } from '../../../../src/suites/handler/cells/equal-misses.js'

/** 100 touching codes at 1 to 100, and free ones. */
const distances = Float64Array.of(...Array.from({ length: 100 }, (_, i) => i + 1), 50, 97.5, 98.5, 200)
const signs = Int8Array.from(distances, (_, i) => (i < 100 ? -1 : 1))

it('the line lies where just so many touching codes are missed', () => {
  // At 98 two are missed, and the free ones at 50 and 97.5 are called touching.
  expect(accuracyAtMissed(distances, signs, 0.02)).toBeCloseTo(1 - 4 / 104, 12)
  expect(accuracyAtMissed(distances, signs, 0)).toBeCloseTo(1 - 3 / 104, 12)
  expect(accuracyAtMissed(distances, signs, 0.6)).toBeCloseTo(1 - 60 / 104, 12)
})

it('does not ask where a method draws its own line', () => {
  const moved = distances.map((distance) => 3 * distance - 700)
  expect(accuracyAtMissed(moved, signs)).toBe(accuracyAtMissed(distances, signs))
})

it('has nothing to say of codes that are all free', () => {
  expect(accuracyAtMissed(Float64Array.of(1, 2), Int8Array.of(1, 1))).toBeNaN()
})
