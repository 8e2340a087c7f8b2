/** Clearances of parts: by closed forms, by brute force, and beside the exact test of a body that bends. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../../src/exact/mesh-distance.js'
import { NeighbourRule } from '../../../src/exact/self-contact/neighbour-rule.js'
import { type NearestOfParts, PartClearances } from '../../../src/exact/self-contact/part-clearances.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { ball, bumpyTorus, joined, unwelded } from '../shapes.js'

const one = ball(24, 32, () => 1)
const count = one.triangles.length / 3
const rest = joined(one, moved(one, 4), moved(one, 8))
const ofTriangle = Uint16Array.from({ length: 3 * count }, (_, t) => Math.floor(t / count))
const rule = new NeighbourRule(rest, { ofTriangle, joined: [0, 2] }, { along: 0, near: 0 })

function moved(mesh: TriangleMesh, x: number): TriangleMesh {
  return { ...mesh, positions: mesh.positions.map((value, i) => value + (i % 3 === 0 ? x : 0)) }
}

/** The three balls with the second so far from the first, the third where it was. */
const apart = (distance: number): Float64Array =>
  Float64Array.from(rest.positions, (value, i) => {
    const isSecond = i >= one.positions.length && i < 2 * one.positions.length
    return isSecond && i % 3 === 0 ? value - 4 + distance : value
  })

describe('clearances of parts', () => {
  it('are distances apart and depths within each other, of the pairs that are not joined', () => {
    const parts = new PartClearances(rest, rule, { reach: 0.8 })
    expect([...parts.pairs]).toEqual([0, 1, 1, 2])
    for (const [distance, expected] of [
      [2.5, 0.5],
      [2.1, 0.1],
      [1.9, -0.1],
      [1.4, -0.6],
      [1.0, -0.8],
      [3.5, 0.8],
    ]) {
      parts.moveTo(apart(distance))
      // A ball of so many facets lies 1% within its sphere.
      expect(Math.abs(parts.of(0) - expected)).toBeLessThan(0.02)
    }
    parts.moveTo(apart(6.5))
    expect(parts.of(0)).toBe(0.8)
    expect(Math.abs(parts.of(1) + 0.5)).toBeLessThan(0.02)
  })

  it('are the least signed distance of any vertex, as exact fields tell it', () => {
    const parts = new PartClearances(rest, rule, { reach: 0.8, samples: 1e6 })
    // A bump on either, so that now a vertex of the one is nearest, now one of the other.
    const shapes = [2.3, 1.7].flatMap((distance) => [1, 3].map((of) => [distance, of] as const))
    for (const [distance, dent] of shapes) {
      const positions = apart(distance).map((value, i, all) => {
        const [x, y, z] = all.subarray(i - (i % 3), i - (i % 3) + 3)
        const isNear = Math.hypot(x - (dent < 2 ? 1 : distance - 1), y, z) < 0.3
        return isNear && i % 3 === 0 ? value + (dent < 2 ? 0.3 : -0.3) : value + (i % 3 === 1 ? 1e-3 * x : 0)
      })
      parts.moveTo(positions)
      const ends = [0, 1].map((i) => positions.slice(i * one.positions.length, (i + 1) * one.positions.length))
      const least = [0, 1].map((i) => {
        const field = new ExactMeshField({ positions: ends[1 - i], triangles: one.triangles })
        const distances = new Float64Array(ends[i].length / 3)
        field.query(ends[i], distances.length, distances)
        return Math.min(...distances)
      })
      expect(Math.abs(least[0] - least[1])).toBeGreaterThan(1e-6)
      expect(parts.of(0)).toBeCloseTo(Math.min(...least), 12)
    }
  })

  it('say where: triangles of both, and points of them so far apart', () => {
    const parts = new PartClearances(rest, rule, { reach: 0.8 })
    const nearest: NearestOfParts = { triangles: [-1, -1], weights: new Float64Array(6) }
    for (const distance of [2.3, 1.7]) {
      const positions = apart(distance)
      parts.moveTo(positions)
      const clearance = parts.of(0, nearest)
      expect(nearest.triangles.map((triangle) => ofTriangle[triangle])).toEqual([0, 1])
      const ends = [0, 1].map((side) =>
        [0, 1, 2].map((axis) =>
          [0, 1, 2].reduce((sum, k) => {
            const vertex = rest.triangles[3 * nearest.triangles[side] + k]
            return sum + nearest.weights[3 * side + k] * positions[3 * vertex + axis]
          }, 0),
        ),
      )
      expect(Math.hypot(...ends[0].map((x, axis) => x - ends[1][axis]))).toBeCloseTo(Math.abs(clearance), 9)
    }
    parts.moveTo(apart(3.9))
    parts.of(0, nearest)
    expect(nearest.triangles).toEqual([-1, -1])
  })

  it('leave neighbours alone, and count no rim as inside', () => {
    const torus = bumpyTorus(48, 12)
    const faces = torus.triangles.length / 3
    const ring = Uint16Array.from({ length: faces }, (_, t) => Math.floor((12 * t) / faces))
    const nextTo = Array.from({ length: 12 }, (_, part) => [part, (part + 1) % 12]).flat()
    for (const mesh of [torus, unwelded(torus)]) {
      const near = new NeighbourRule(mesh, { ofTriangle: ring, joined: nextTo }, { along: 0.25, near: 0 })
      const parts = new PartClearances(mesh, near, { reach: 0.9 })
      // At rest nothing is in anything, though parts two further on see each other's rims.
      const all = Array.from({ length: parts.pairs.length / 2 }, (_, pair) => parts.of(pair))
      expect(Math.min(...all)).toBeGreaterThan(0.1)
      const none = new NeighbourRule(mesh, { ofTriangle: ring, joined: nextTo }, { along: 0, near: 0 })
      const strict = new PartClearances(mesh, none, { reach: 0.9 })
      const withThem = Array.from({ length: parts.pairs.length / 2 }, (_, pair) => strict.of(pair))
      expect(withThem.every((value, pair) => value <= all[pair])).toBe(true)
      expect(withThem.some((value, pair) => value < all[pair])).toBe(true)
    }
  })

  it('need a reach', () => {
    expect(() => new PartClearances(rest, rule, { reach: 0 })).toThrow(/clearances: reach is 0/)
  })
})
