import { describe, expect, it } from 'vitest'
import { SurfaceMinima } from '../../../src/detect/surface/surface-minima.js'
import { fieldCapsule, fieldHalfSpace, fieldSphere } from '../../../src/field/analytic.js'
import { placed } from '../../../src/field/shapes/place.js'
import { cone } from '../../../src/field/shapes/polygons.js'
import { box, boxFrame, capsule, cylinder, sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf } from '../../../src/field/shapes/shape.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import { type Random, randomStream } from '../../../src/math/random.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'

const TRIANGLE = Uint32Array.of(0, 1, 2)

/** All of one triangle that is deeper than its corners. */
function minimaOf(field: SignedField, x: Float64Array, within = 1, options = {}): SurfaceMinima {
  const minima = new SurfaceMinima(TRIANGLE, 3, options)
  const lows = new Float64Array(3)
  field.query(x, 3, lows)
  minima.find(field, x, lows, new Float64Array(3).fill(within))
  return minima
}

describe('closed forms', () => {
  it('finds an edge over a ball where the perpendicular from its middle meets it', () => {
    // The edge runs along x at height .55 over a ball of .5 about (.1, 0, 0); the third corner is far away.
    const x = Float64Array.of(-0.4, 0.55, 0, 0.8, 0.55, 0, 0.2, 3, 0)
    const minima = minimaOf(fieldSphere([0.1, 0, 0], 0.5), x, 1, { tolerance: 1e-6 })
    expect(minima.count).toBe(1)
    expect(minima.features[0]).toBeLessThan(3)
    expect(minima.distances[0]).toBeCloseTo(0.05, 6)
    expect(minima.points[0]).toBeCloseTo(0.1, 3)
    expect([...minima.normals.subarray(0, 3)].map((n) => Math.round(1e3 * n) / 1e3)).toEqual([0, 1, 0])
    const [a, b] = [...minima.corners]
    expect(minima.weights[0] * x[3 * a] + minima.weights[1] * x[3 * b]).toBeCloseTo(0.1, 3)
  })

  it('finds a triangle over the tip of a cone, and by how much it is run through', () => {
    for (const height of [0.05, -0.02]) {
      // The tip is at y = .4.
      const x = Float64Array.of(-0.5, 0.4 + height, -0.4, 0.6, 0.4 + height, -0.3, 0, 0.4 + height, 0.7)
      const minima = minimaOf(fieldOf(cone(0.05, 0, 0.4)), x, 0.1, { tolerance: 1e-4 })
      expect(minima.count).toBe(1)
      expect(minima.features[0]).toBe(3)
      // Inside, the nearest way out of a cone is across its side.
      const slant = 0.05 / Math.hypot(0.05, 0.8)
      expect(minima.distances[0]).toBeCloseTo(height > 0 ? height : height * slant, 3)
      expect(Math.hypot(minima.points[0], minima.points[2])).toBeLessThan(0.01)
      expect(minima.normals[1]).toBeCloseTo(1, 6)
    }
  })
})

/** The least of a triangle by a grid of places, and ever finer ones about the least. */
function denseLeast(field: SignedField, x: Float64Array): number {
  const n = 40
  const points = new Float64Array(3 * (n + 1) * (n + 1))
  const values = new Float64Array(points.length / 3)
  let [least, u0, v0, size] = [Infinity, 0, 0, 1]
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < values.length; i++) {
      let u = u0 + (size * (i % (n + 1))) / n
      let v = v0 + (size * Math.trunc(i / (n + 1))) / n
      u = Math.min(1, Math.max(0, u))
      v = Math.min(1 - u, Math.max(0, v))
      for (let axis = 0; axis < 3; axis++) {
        points[3 * i + axis] = x[axis] + u * (x[3 + axis] - x[axis]) + v * (x[6 + axis] - x[axis])
      }
    }
    field.query(points, values.length, values)
    let best = 0
    for (let i = 0; i < values.length; i++) if (values[i] < values[best]) best = i
    least = Math.min(least, values[best])
    u0 += (size * (best % (n + 1))) / n - size / 10
    v0 += (size * Math.trunc(best / (n + 1))) / n - size / 10
    size /= 5
  }
  return least
}

function randomTriangle(random: Random): Float64Array {
  const centre = [0, 1, 2].map(() => random.between(-0.7, 0.7))
  const size = random.between(0.1, 0.5)
  return Float64Array.from({ length: 9 }, (_, i) => centre[i % 3] + random.between(-size, size))
}

describe('random triangles and shapes', () => {
  const shapes = { ball: sphere(0.4), pole: capsule([0, -1, 0], [0, 0.1, 0], 0.02), box: box([0.3, 0.2, 0.4]) }
  const more = { spike: cone(0.1, 0, 0.4), can: cylinder(0.3, 0.3) }
  for (const [name, shape] of Object.entries({ ...shapes, ...more })) {
    it(`finds the least of all of them, seed 7, ${name}`, () => {
      const field = fieldOf(shape)
      const random = randomStream(7)
      const values = new Float64Array(3)
      let between = 0
      for (let i = 0; i < 150; i++) {
        const x = randomTriangle(random)
        field.query(x, 3, values)
        const exact = denseLeast(field, x)
        const corners = Math.min(...values)
        const minima = minimaOf(field, x, 2, { tolerance: 1e-3, queries: 20 })
        const found = Math.min(corners, ...minima.distances.subarray(0, minima.count))
        const size = Math.max(...[3, 6].map((o) => Math.hypot(x[o] - x[0], x[o + 1] - x[1], x[o + 2] - x[2])))
        if (exact < corners - 0.02 * size) between++
        // What triangles must be deeper by than their edges adds to the tolerance of the search.
        expect(found).toBeLessThan(exact + 3e-3 * size)
        expect(found).toBeGreaterThan(exact - 1e-3 * size)
      }
      expect(between).toBeGreaterThan(20)
    })
  }
})

describe('fields that are not convex', () => {
  it('have most of their least places found, and no place made up, seed 8', () => {
    const field = fieldOf(boxFrame([0.4, 0.4, 0.4], 0.05))
    const random = randomStream(8)
    const values = new Float64Array(3)
    let [between, found] = [0, 0]
    for (let i = 0; i < 150; i++) {
      const x = randomTriangle(random)
      field.query(x, 3, values)
      const exact = denseLeast(field, x)
      const minima = minimaOf(field, x, 2, { tolerance: 1e-3, queries: 20 })
      const least = Math.min(...values, ...minima.distances.subarray(0, minima.count))
      const size = Math.max(...[3, 6].map((o) => Math.hypot(x[o] - x[0], x[o + 1] - x[1], x[o + 2] - x[2])))
      expect(least).toBeGreaterThan(exact - 1e-3 * size)
      if (!(exact < Math.min(...values) - 0.02 * size)) continue
      between++
      if (least < exact + 3e-3 * size) found++
    }
    // Tangents of a frame of bars mislead: 52 of 67, and 50 where they are not lowered to what has been seen.
    expect(found / between).toBeGreaterThan(0.76)
  })
})

/** A sheet of n x n vertices, 1 m a side, at a height. */
function sheet(n: number, height: number): { x: Float64Array; triangles: Uint32Array } {
  const { positions, triangles } = clothGrid(n, n, { centre: [0, height, 0] })
  return { x: Float64Array.from(positions), triangles }
}

describe('a sheet', () => {
  const find = (field: SignedField, n: number, height: number, within: number): SurfaceMinima => {
    const { x, triangles } = sheet(n, height)
    const minima = new SurfaceMinima(triangles, n * n)
    const lows = new Float64Array(n * n)
    field.query(x, n * n, lows)
    minima.find(field, x, lows, new Float64Array(n * n).fill(within))
    return minima
  }

  it('is not asked where its vertices say that nothing is near', () => {
    // Triangles of 10 cm a side, 30 cm above the ball.
    expect(find(fieldSphere([0, -0.5, 0], 0.2), 11, 0, 0.1).queries).toBe(0)
  })

  it('has no contacts between vertices where these lie on the ground as well', () => {
    for (const ground of [fieldHalfSpace([0.1, 1, 0.2], 0), fieldHalfSpace([0, 1, 0], 0)]) {
      const minima = find(ground, 8, 0.001, 0.5)
      expect(minima.queries).toBeGreaterThan(0)
      expect(minima.count).toBe(0)
    }
  })

  it('meets a bar in each edge that crosses it once, and in no triangle', () => {
    // Beside all vertices and along their rows; 7 rows of 6 edges across, and the diagonals of each of the 6 squares between.
    const minima = find(fieldCapsule([-2, -0.012, 0.05], [2, -0.012, 0.05], 0.01), 7, 0, 0.01)
    expect(minima.count).toBe(7 + 6)
    for (let k = 0; k < minima.count; k++) {
      expect(minima.features[k]).toBeLessThan(minima.edgeCount)
      expect(minima.distances[k]).toBeCloseTo(0.002, 3)
      expect(minima.normals[3 * k + 1]).toBeCloseTo(1, 3)
    }
    expect(new Set(minima.features.subarray(0, minima.count)).size).toBe(minima.count)
  })

  it('tells how far a spike sticks through it, not how near the spike is to its own side', () => {
    // On an edge, and within a triangle.
    for (const aside of [0, 0.03]) {
      const minima = find(fieldOf(placed(cone(0.15, 0, 0.3), { at: [aside, 0, 0] })), 6, 0.26, 0.1)
      // 4 cm of it; the way out sideways is a quarter of that.
      expect(Math.min(...minima.separations.subarray(0, minima.count))).toBeCloseTo(-0.04, 3)
      expect(Math.min(...minima.distances.subarray(0, minima.count))).toBeGreaterThan(-0.011)
    }
  })

  it('leaves out what is not finite, and finds the rest', () => {
    const ball = fieldSphere([0.03, -0.05, 0.02], 0.06)
    for (const value of [Number.NaN, Infinity]) {
      const broken: SignedField = {
        query(points, count, distances, gradients) {
          ball.query(points, count, distances, gradients)
          for (let i = 0; i < count; i++) {
            if (points[3 * i] > -0.2) continue
            distances[i] = value
            gradients?.fill(value, 3 * i, 3 * i + 3)
          }
        },
        bounds: () => undefined,
      }
      const minima = find(broken, 6, 0.02, 0.5)
      expect(minima.count).toBeGreaterThan(0)
      for (const values of [minima.distances, minima.separations]) {
        expect(values.subarray(0, minima.count).every(Number.isFinite)).toBe(true)
      }
      expect(Math.min(...minima.distances.subarray(0, minima.count))).toBeCloseTo(0.01, 2)
    }
  })

  it('says in one line what it was given wrong', () => {
    const triangles = Uint32Array.of(0, 1, 2)
    expect(() => new SurfaceMinima(triangles, 3, { queries: 25 })).toThrow(
      'surface minima: queries is 25; give a whole',
    )
    expect(() => new SurfaceMinima(triangles, 2)).toThrow('triangle 0 names a vertex beyond 1')
    const minima = new SurfaceMinima(triangles, 3)
    const field = fieldSphere([0, 0, 0], 1)
    expect(() => minima.find(field, new Float64Array(6), new Float64Array(3), new Float64Array(3))).toThrow(
      'surface minima: 6 values for 3 vertices; pass 9',
    )
    expect(() => minima.find(field, new Float64Array(9), new Float64Array(2), new Float64Array(3))).toThrow('lows')
  })
})
