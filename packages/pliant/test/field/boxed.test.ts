import { describe, expect, it } from 'vitest'
import { fieldSphere } from '../../src/field/analytic.js'
import { BoxedField } from '../../src/field/boxed.js'
import type { FrameState, MovingField } from '../../src/field/signed-field.js'
import { TransformedField } from '../../src/field/transformed.js'
import { conformField } from './conformance.js'

/** A sphere of radius 0.5 about the frame's origin, which counts the points that it is asked. */
function counted(): { field: MovingField<FrameState>; asked: () => number } {
  const inner = new TransformedField(fieldSphere([0, 0, 0], 0.5))
  let asked = 0
  return {
    asked: () => asked,
    field: {
      update: (state) => inner.update(state),
      query(points, count, distances, gradients) {
        asked += count
        inner.query(points, count, distances, gradients)
      },
      bounds: (box) => inner.bounds(box),
    },
  }
}

function boxed(margin = 0.2) {
  const { field, asked } = counted()
  const made = new BoxedField(field, {
    margin,
    boxOf: ({ frame }) => ({
      lower: [frame[12] - 0.5, frame[13] - 0.5, frame[14] - 0.5],
      upper: [frame[12] + 0.5, frame[13] + 0.5, frame[14] + 0.5],
    }),
  })
  made.update({ frame: placed(0, 0, 0) })
  return { field: made, asked }
}

const placed = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]

conformField({
  name: 'a boxed sphere',
  make: () => boxed().field,
  box: { lower: [-1.5, -1.5, -1.5], upper: [1.5, 1.5, 1.5] },
  inside: [[0, 0, 0]],
  outside: [
    [0.6, 0, 0],
    [1.4, 1.4, 1.4],
  ],
  gradientTolerance: 1e-4,
  // Where the asked points end, the answer jumps from the sphere's to the box's.
  kinks: 0.01,
})

describe('a boxed field', () => {
  it('asks only points near the box, and answers the others by no more than their distance', () => {
    const { field, asked } = boxed()
    const points = Float64Array.of(0.6, 0, 0, 3, 0, 0, 0, -3, 4)
    const distances = new Float64Array(3)
    field.query(points, 3, distances)
    expect(asked()).toBe(1)
    expect(distances[0]).toBeCloseTo(0.1, 12)
    expect(distances[1]).toBeCloseTo(2.5, 12)
    expect(distances[2]).toBeCloseTo(Math.hypot(2.5, 3.5), 12)
    expect(distances[2]).toBeLessThanOrEqual(Math.hypot(3, 4) - 0.5)
  })

  it('moves its box with the body', () => {
    const { field, asked } = boxed()
    field.update({ frame: placed(10, 0, 0) })
    const distances = new Float64Array(2)
    field.query(Float64Array.of(0, 0, 0, 10, 0.4, 0), 2, distances)
    expect(asked()).toBe(1)
    expect(distances[0]).toBeCloseTo(9.5, 12)
    expect(distances[1]).toBeCloseTo(-0.1, 12)
  })

  it('promises no bounds beyond the points that are asked', () => {
    const { field } = boxed()
    expect(field.bounds({ lower: [-0.1, -0.1, -0.1], upper: [0.1, 0.1, 0.1] })).toBeDefined()
    expect(field.bounds({ lower: [-0.1, -0.1, -0.1], upper: [2, 0.1, 0.1] })).toBeUndefined()
  })

  it('refuses a margin that is not positive', () => {
    expect(() => boxed(0)).toThrow(/margin is 0/)
  })
})
