import { randomStream } from 'pliant'
import { expect, test } from 'vitest'
import { along, principalDirections, together } from '../../src/modes/principal.js'

test('directions are those that rows were made of, most first, and no more than there are (seed 3)', () => {
  const random = randomStream(3)
  const made = [
    [0.6, 0.8, 0, 0, 0],
    [0, 0, 0, 1, 0],
  ]
  const rows = Array.from({ length: 600 }, () => {
    const [a, b] = [3 * random.normal(), random.normal()]
    return Float32Array.from(made[0], (value, i) => a * value + b * made[1][i])
  })
  const found = principalDirections(rows, 5)
  expect(found.count).toBe(2)
  made.forEach((due, k) => {
    const own = found.rows.subarray(k * 5, (k + 1) * 5)
    const cosine = own.reduce((sum, value, i) => sum + value * due[i], 0)
    expect(Math.abs(cosine)).toBeGreaterThan(0.99)
  })
  expect(found.spreads[0] / 3).toBeCloseTo(1, 0.5)
  const back = together(found, along(found, rows[7]))
  expect(Math.max(...back.map((value, i) => Math.abs(value - rows[7][i])))).toBeLessThan(1e-5)
})
