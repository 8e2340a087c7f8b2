import type { SignedField } from 'pliant'
import { box, fieldOf, halfSpace, type Shape, sphere, torus } from 'pliant/shapes'
import { describe, expect, it } from 'vitest'
import { type PosedField, surfaceDepth } from '../../../src/suites/contact/reference.js'

const at = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
const posed = (shape: Shape, pose = at(0, 0, 0)): PosedField => ({ field: fieldOf(shape), box: shape.box, pose })
const tolerance = 1e-3

describe('the reference of contact', () => {
  it('holds the exact depth of two balls between its ends, however they lie', () => {
    for (const apart of [0.3, 0.9, 0.999, 1.001, 1.2]) {
      const { least, point } = surfaceDepth(posed(sphere(0.5)), posed(sphere(0.5), at(0, apart, 0)), { tolerance })
      // The nearest point of one surface to the other's middle.
      const exact = Math.abs(apart - 0.5) - 0.5
      expect(least[0]).toBeLessThanOrEqual(exact)
      expect(least[1]).toBeGreaterThanOrEqual(exact - 1e-8)
      expect(least[1] - least[0]).toBeLessThanOrEqual(tolerance + 1e-12)
      expect(point?.[1]).toBeCloseTo(0.5, 2)
    }
  })

  it('tells of a torus how deep it is in a half-space, to its tolerance', () => {
    // Turned by 30 degrees, its lowest point is ring * sin 30 + tube below the middle.
    const [c, s] = [Math.cos(Math.PI / 6), 0.5]
    const pose = Float64Array.of(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0.2, 0, 1)
    const { least } = surfaceDepth(posed(torus(0.4, 0.1), pose), posed(halfSpace([0, 1, 0], 0)), { tolerance: 1e-4 })
    expect(least[0]).toBeLessThanOrEqual(-0.1)
    expect(least[1]).toBeGreaterThanOrEqual(-0.1 - 1e-8)
    expect(least[1] - least[0]).toBeLessThanOrEqual(1e-4 + 1e-12)
  })

  it('takes the bounds of a field that does not know how steep it is', () => {
    const ball = fieldOf(sphere(0.5))
    // Four times as steep as a distance, which a search that takes slope 1 for granted would drop cells by.
    const steep: SignedField & { slope: number } = {
      slope: Infinity,
      query: (points, count, values, gradients) => {
        ball.query(points, count, values, gradients)
        for (let i = 0; i < count; i++) values[i] *= 4
      },
      bounds: (cell) => ball.bounds(cell)?.map((value) => 4 * value) as unknown as [number, number],
    }
    const b = { field: steep, box: { lower: [-0.5, -0.5, -0.5], upper: [0.5, 0.5, 0.5] } as const, pose: at(0, 0.9, 0) }
    const { least } = surfaceDepth(posed(box([0.5, 0.5, 0.5])), b, { tolerance })
    expect(least[0]).toBeLessThanOrEqual(-0.4)
    expect(least[1]).toBeGreaterThanOrEqual(-0.4 - 1e-8)
  })

  it('says what it has not proved of faces that lie flat on each other', () => {
    const { least } = surfaceDepth(posed(box([0.5, 0.5, 0.5])), posed(box([0.5, 0.5, 0.5]), at(0, 0.95, 0)), {
      tolerance,
    })
    expect(least[0]).toBeLessThanOrEqual(-0.05)
    expect(least[1]).toBeCloseTo(-0.05, 9)
  })
})
