import { describe, expect, it } from 'vitest'
import { fieldBox, fieldSphere, fieldTorus } from '../../src/field/analytic.js'
import { TransformedField } from '../../src/field/transformed.js'
import { conformField } from './conformance.js'

/** Turned about an axis between all three, scaled, and moved; column-major. */
function frameOf(scale: readonly [number, number, number], shift: readonly [number, number, number]): number[] {
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)]
  const axis = [2 / 3, 2 / 3, 1 / 3]
  const frame = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...shift, 1]
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      const cross = row === column ? 0 : (((column - row + 3) % 3 === 1 ? -1 : 1) as number) * axis[3 - row - column]
      frame[4 * column + row] = scale[column] * (axis[row] * axis[column] * (1 - c) + (row === column ? c : s * cross))
    }
  }
  return frame
}

conformField({
  name: 'a torus, turned, scaled and moved',
  make: () => new TransformedField(fieldTorus([0, 0, 0], 0.5, 0.2), frameOf([2, 2, 2], [0.3, -0.1, 0.2])),
  box: { lower: [-2, -2, -2], upper: [2, 2, 2] },
  inside: [],
  outside: [
    [0.3, -0.1, 0.2],
    [2, 2, 2],
  ],
  gradientTolerance: 1e-4,
  kinks: 0.01,
  bounded: true,
})

describe('a transformed field', () => {
  it('is that of the body where the frame puts it', () => {
    const field = new TransformedField(fieldSphere([1, 0, 0], 0.5), frameOf([3, 3, 3], [10, 20, 30]))
    const { frame } = field
    const centre = [0, 1, 2].map((row) => frame[row] + frame[12 + row])
    const away = [2, -3, 4]
    const distance = new Float64Array(1)
    const gradient = new Float64Array(3)
    field.query(
      Float64Array.from(centre, (value, axis) => value + away[axis]),
      1,
      distance,
      gradient,
    )
    const length = Math.hypot(...away)
    expect(distance[0]).toBeCloseTo(length - 3 * 0.5, 12)
    for (let axis = 0; axis < 3; axis++) expect(gradient[axis]).toBeCloseTo(away[axis] / length, 12)
    expect(field.scale).toBeCloseTo(3, 12)
  })

  it('loses no digits far from the origin', () => {
    const far = 1e6
    const field = new TransformedField(fieldSphere([0, 0, 0], 1), frameOf([1, 1, 1], [far, far, far]))
    const out = new Float64Array(1)
    field.query(Float64Array.of(far + 1.25, far, far), 1, out)
    expect(Math.abs(out[0] - 0.25)).toBeLessThan(1e-9)
  })

  it('is exact on the surface and to first order beside it where axes are scaled unevenly', () => {
    // A sphere made an ellipsoid: its distance is known along its axes.
    const field = new TransformedField(fieldSphere([0, 0, 0], 1), [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1])
    const points = Float64Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0.5, 2.01, 0, 0, 0, 0, 0.49, 0, 1.01, 0)
    const [distances, gradients] = [new Float64Array(6), new Float64Array(18)]
    field.query(points, 6, distances, gradients)
    const expected = [0, 0, 0, 0.01, -0.01, 0.01]
    for (const [i, value] of expected.entries()) expect(distances[i], `point ${i}`).toBeCloseTo(value, 9)
    for (let i = 0; i < 6; i++) {
      expect(Math.hypot(...gradients.subarray(3 * i, 3 * i + 3)), `point ${i}`).toBeCloseTo(1, 9)
    }
    const alone = new Float64Array(6)
    field.query(points, 6, alone)
    expect([...alone]).toEqual([...distances])
    expect(field.bounds({ lower: [0, 0, 0], upper: [1, 1, 1] })).toBeUndefined()
  })

  it('carries a mirrored frame', () => {
    const field = new TransformedField(
      fieldBox([1, 0, 0], [0.5, 0.5, 0.5]),
      [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    )
    const [distances, gradients] = [new Float64Array(1), new Float64Array(3)]
    field.query(Float64Array.of(-2, 0, 0), 1, distances, gradients)
    expect(distances[0]).toBeCloseTo(0.5, 12)
    expect([...gradients]).toEqual([-1, 0, 0])
  })

  it('refuses a flat frame and stays where it was', () => {
    const field = new TransformedField(fieldSphere([0, 0, 0], 1))
    const flat = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 5, 5, 5, 1]
    expect(() => field.update({ frame: flat })).toThrow(/scale of zero/)
    const out = new Float64Array(1)
    field.query(Float64Array.of(2, 0, 0), 1, out)
    expect(out[0]).toBe(1)
  })
})
