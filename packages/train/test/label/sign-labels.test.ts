/** Points of a boundary, and their normals, from signs alone: of planes and balls, where both are known. */
import { randomStream } from 'pliant'
import { describe, expect, test } from 'vitest'
import { acrossBoundary } from '../../src/label/across-boundary.js'
import { SIGN_LABELS_DEFAULTS, SignLabels } from '../../src/label/sign-labels.js'

const boxOf = (size: number) => ({ lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) })
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, k) => sum + value * b[k], 0)

describe.each([2, 3, 5])('points of a boundary in %i dimensions, seed 7', (size) => {
  const random = randomStream(7, size)
  const unit = (): Float32Array => {
    const vector = Float32Array.from({ length: size }, () => random.normal())
    return vector.map((value) => value / Math.hypot(...vector))
  }

  test('of a plane: on it, with its normal to half a degree, whatever the way across', async () => {
    for (let i = 0; i < 20; i++) {
      const normal = unit()
      const labels = new SignLabels(size, boxOf(size), (code) => dot(code, normal) > 0)
      const way = unit().map((value, k) => value + 1.2 * normal[k])
      const side = Math.sign(dot(way, normal)) * 0.3
      const found = await labels.between(
        way.map((value) => side * value),
        way.map((value) => -0.7 * side * value),
      )
      expect(Math.abs(dot(found.codes, normal))).toBeLessThan(1.1 * SIGN_LABELS_DEFAULTS.precision)
      expect(dot(found.normals, normal)).toBeGreaterThan(Math.cos((0.5 * Math.PI * Math.sqrt(size - 1)) / 180))
    }
  })

  test('of a ball: every test is counted, about as many as announced', async () => {
    let asked = 0
    const labels = new SignLabels(size, boxOf(size), (code) => {
      asked++
      return Math.hypot(...Array.from(code)) > 0.6
    })
    const count = 30
    const points = Array.from({ length: count }, unit)
    const codes = Float32Array.from(
      points.flatMap((point, i) => [...point.map((value) => (0.5 + 0.01 * (i % 20)) * value)]),
    )
    const normals = Float32Array.from(points.flatMap((point) => [...point]))
    const along = await labels.along(codes, normals)
    expect(along.tests).toBe(asked)
    expect(along.tests / count / labels.testsPerPoint.along).toBeCloseTo(1, 0)
    expect(along.codes.length).toBe(count * size)
    for (let i = 0; i < count; i++) {
      const code = along.codes.subarray(i * size, (i + 1) * size)
      expect(Math.hypot(...code)).toBeCloseTo(0.6, 4)
      expect(dot(along.normals.subarray(i * size, (i + 1) * size), points[i])).toBeGreaterThan(0.9999)
    }
    asked = 0
    const between = await labels.between(
      normals.map((value) => 0.9 * value),
      normals.map((value) => -0.1 * value),
    )
    expect(between.tests).toBe(asked)
    expect(between.tests / count / labels.testsPerPoint.between).toBeCloseTo(1, 0)
  })
})

describe('across a boundary', () => {
  const isFree = (code: ArrayLike<number>): boolean => code[0] > 0.1
  const across = (x: number) => acrossBoundary(isFree, boxOf(2), Float32Array.of(x, 0), Float32Array.of(1, 0))

  test('from a free code against the direction, from a touching one along it; the free end comes first', () => {
    for (const start of [0.15, 0.055]) {
      const [free, touching] = across(start)!
      expect([isFree(free), isFree(touching)]).toEqual([true, false])
      expect(Math.abs(free[0] - touching[0])).toBeCloseTo(0.04, 9)
    }
  })

  test('gives up at the end of the box', () => {
    expect(acrossBoundary(() => true, boxOf(2), Float32Array.of(0.9, 0), Float32Array.of(-1, 0))).toBeUndefined()
  })
})
