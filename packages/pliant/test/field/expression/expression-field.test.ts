import { expect, it } from 'vitest'
import { add, type Expression, length, mul, POINT, sin, sub } from '../../../src/field/expression/expression.js'
import { ExpressionField } from '../../../src/field/expression/expression-field.js'
import { tapeOf } from '../../../src/field/expression/tape.js'
import { randomStream } from '../../../src/math/random.js'

const [x, y, z] = POINT

it('computes what is used twice once, also where it was written twice', () => {
  const radius = (): Expression => length(x, y, z)
  expect(tapeOf(add(mul(radius(), radius()), radius())).steps).toHaveLength(3)
})

it('leaves out what does nothing and computes constants at once', () => {
  expect(tapeOf(add(mul(x, 1), 0, mul(y, 0))).steps).toHaveLength(0)
  expect(tapeOf(sub(x, add(1, 2)))).toMatchObject({ constants: [3], steps: [{ inputs: [0, 3] }] })
})

it('takes expressions of any depth', () => {
  let deep: Expression = x
  for (let i = 0; i < 100_000; i++) deep = add(deep, y)
  const out = new Float64Array(1)
  new ExpressionField(deep).query(Float64Array.of(1, 2, 3), 1, out)
  expect(out[0]).toBe(200_001)
})

it('refuses more than a million operations', () => {
  let long: Expression = x
  for (let i = 0; i < 1_000_001; i++) long = { name: 'negate', inputs: [long] }
  expect(() => new ExpressionField(long)).toThrow('more than 1000000 operations')
})

it('bounds by its gradient what intervals cannot: x - x y z near a place shrinks with the square', () => {
  const field = new ExpressionField(sub(mul(x, y), mul(y, x)))
  // The same thing twice is one register; written apart it is nothing that intervals could see.
  const apart = new ExpressionField(sub(mul(add(x, z), y), add(mul(x, y), mul(z, y))))
  const box = { lower: [1, 1, 1], upper: [1.01, 1.01, 1.01] } as const
  for (const each of [field, apart]) {
    const [low, high] = each.bounds(box)!
    expect(low).toBeLessThanOrEqual(0)
    expect(high).toBeGreaterThanOrEqual(0)
  }
  const [low, high] = apart.bounds(box)!
  expect(high - low).toBeLessThan(1.5e-3)
})

it('takes the known slope for its bounds', () => {
  const wave = mul(0.01, sin(mul(100, x)))
  const box = { lower: [0, 0, 0], upper: [1e-4, 0, 0] } as const
  const [low, high] = new ExpressionField(add(wave, wave, mul(-2, wave)), 1e-6).bounds(box)!
  expect(high - low).toBeLessThan(1e-9)
})

it('answers points that are not finite with NaN, and those beside them as ever', () => {
  const field = new ExpressionField(length(x, y, z), 1)
  const points = Float64Array.of(0, 3, 4, Number.NaN, 0, 0, 0, 0, Infinity, 6, 8, 0)
  const [out, gradients] = [new Float64Array(4), new Float64Array(12)]
  field.query(points, 4, out, gradients)
  expect([...out]).toEqual([5, Number.NaN, Number.NaN, 10])
  expect(gradients[9]).toBeCloseTo(0.6, 12)
  expect(gradients[10]).toBeCloseTo(0.8, 12)
  expect(gradients.subarray(3, 9).every(Number.isNaN)).toBe(true)
})

it('answers as many points as it is asked, at either side of a block', () => {
  const random = randomStream(9, 1)
  const field = new ExpressionField(sub(length(x, y, z), 1), 1)
  for (const count of [1, 63, 64, 65, 129]) {
    const points = Float64Array.from({ length: 3 * count }, () => random.between(-2, 2))
    const [out, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
    field.query(points, count, out, gradients)
    for (let i = 0; i < count; i++) {
      const distance = Math.hypot(...points.subarray(3 * i, 3 * i + 3)) - 1
      expect(out[i]).toBeCloseTo(distance, 12)
      expect(gradients[3 * i]).toBeCloseTo(points[3 * i] / (distance + 1), 12)
    }
  }
})
