/** Clearances of parts: by closed forms, by brute force, and beside the exact test of a body that bends. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../../src/exact/mesh-distance.js'
import { NeighbourRule } from '../../../src/exact/self-contact/neighbour-rule.js'
import { type NearestOfParts, PartClearances } from '../../../src/exact/self-contact/part-clearances.js'
import { SelfIntersection } from '../../../src/exact/self-intersection.js'
import { triangleGap } from '../../../src/exact/triangle-gap.js'
import { triangleOverlap } from '../../../src/exact/triangle-overlap.js'
import { trianglesMeet } from '../../../src/exact/triangle-triangle.js'
import { randomStream } from '../../../src/index.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { ball, bumpyTorus, joined, unwelded } from '../shapes.js'

/** Three balls in a row, the first and the last of them joined. */
function balls(one: TriangleMesh) {
  const rest = joined(one, moved(one, 4), moved(one, 8))
  const count = one.triangles.length / 3
  const ofTriangle = Uint16Array.from({ length: 3 * count }, (_, t) => Math.floor(t / count))
  const rule = new NeighbourRule(rest, { ofTriangle, joined: [0, 2] }, { along: 0, near: 0 })
  /** With the second so far from the first, the third where it was. */
  const apart = (distance: number): Float64Array =>
    Float64Array.from(rest.positions, (value, i) => {
      const isSecond = i >= one.positions.length && i < 2 * one.positions.length
      return isSecond && i % 3 === 0 ? value - 4 + distance : value
    })
  return { rest, count, ofTriangle, rule, apart }
}
const { rest, ofTriangle, rule, apart } = balls(ball(24, 32, () => 1))

function moved(mesh: TriangleMesh, x: number): TriangleMesh {
  return { ...mesh, positions: mesh.positions.map((value, i) => value + (i % 3 === 0 ? x : 0)) }
}

/** Of one pair. */
function of(parts: PartClearances, pair: number, nearest?: (place: NearestOfParts) => void): number {
  const out = new Float64Array(1)
  parts.write([pair], out, nearest && ((_, place) => nearest(place)))
  return out[0]
}

const allOf = (parts: PartClearances): number[] => {
  const out = new Float64Array(parts.pairs.length / 2)
  parts.write(Array.from(out.keys()), out)
  return [...out]
}

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
      expect(Math.abs(of(parts, 0) - expected)).toBeLessThan(0.02)
    }
    parts.moveTo(apart(6.5))
    expect(of(parts, 0)).toBe(0.8)
    expect(Math.abs(of(parts, 1) + 0.5)).toBeLessThan(0.02)
  })

  it('are the distance of the nearest triangles, or the depth of the deepest vertex or pair, by brute force', () => {
    const one = ball(10, 14, () => 1)
    const { rest, count, rule, apart } = balls(one)
    const parts = new PartClearances(rest, rule, { reach: 0.8, samples: 1e6 })
    // A bump on either, so that now a vertex of the one is nearest, now one of the other.
    const shapes = [2.7, 2.3, 1.7].flatMap((distance) => [1, 3].map((dent) => [distance, dent] as const))
    const isApart: boolean[] = []
    for (const [distance, dent] of shapes) {
      const positions = apart(distance).map((value, i, all) => {
        const [x, y, z] = all.subarray(i - (i % 3), i - (i % 3) + 3)
        const isNear = Math.hypot(x - (dent < 2 ? 1 : distance - 1), y, z) < 0.4
        return isNear && i % 3 === 0 ? value + (dent < 2 ? 0.3 : -0.3) : value + (i % 3 === 1 ? 1e-3 * x : 0)
      })
      parts.moveTo(positions)
      const corners = Float64Array.from({ length: 18 * count }, (_, k) => {
        const [triangle, at] = [Math.trunc(k / 9), k % 9]
        return positions[3 * rest.triangles[3 * triangle + Math.trunc(at / 3)] + (at % 3)]
      })
      const gap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }
      let [least, deepest] = [Infinity, 0]
      for (let s = 0; s < count; s++) {
        for (let t = count; t < 2 * count; t++) {
          if (trianglesMeet(corners, 9 * s, corners, 9 * t)) {
            deepest = Math.max(deepest, triangleOverlap(corners, 9 * s, corners, 9 * t))
          } else {
            triangleGap(corners, 9 * s, 9 * t, gap)
            least = Math.min(least, gap.distance)
          }
        }
      }
      const ends = [0, 1].map((i) => positions.slice(i * one.positions.length, (i + 1) * one.positions.length))
      const behind = [0, 1].map((i) => {
        const field = new ExactMeshField({ positions: ends[1 - i], triangles: one.triangles })
        const distances = new Float64Array(ends[i].length / 3)
        field.query(ends[i], distances.length, distances)
        return Math.min(...distances)
      })
      isApart.push(deepest === 0)
      expect(of(parts, 0)).toBeCloseTo(deepest > 0 ? Math.min(-deepest, ...behind) : least, 12)
    }
    expect(new Set(isApart).size).toBe(2)
  })

  it('have the sign that the exact test tells, whatever the surface does (seed 12)', () => {
    const torus = bumpyTorus(32, 8)
    const faces = torus.triangles.length / 3
    const patches = Uint16Array.from({ length: faces }, (_, t) => Math.floor((24 * t) / faces))
    // Patches are no more than what clearances are told of: none is joined to another.
    const near = new NeighbourRule(torus, { ofTriangle: patches }, { along: 0.12, near: 0.005 })
    const parts = new PartClearances(torus, near, { reach: 0.5 })
    const exact = new SelfIntersection(torus, { neighbours: near })
    const random = randomStream(12)
    const seen = [0, 0]
    for (let i = 0; i < 30; i++) {
      // The ring is folded, more and more, and dented here and there.
      const fold = random.between(0, 1.6)
      const positions = torus.positions.map((value, k, all) => {
        const [x, y] = all.subarray(k - (k % 3), k - (k % 3) + 2)
        const shares = [value - fold * x, value, value + fold * Math.abs(x) * 0.3 * y]
        return shares[k % 3] + 0.02 * random.normal()
      })
      exact.update(positions)
      parts.moveTo(positions)
      const { pairs } = exact.pairs()
      const between = Array.from({ length: pairs.length / 2 }, (_, k) => [pairs[2 * k], pairs[2 * k + 1]]).filter(
        ([a, b]) => patches[a] !== patches[b],
      )
      const isTouching = between.length > 0
      expect(Math.min(...allOf(parts)) < 0).toBe(isTouching)
      seen[Number(isTouching)]++
    }
    expect(Math.min(...seen)).toBeGreaterThan(5)
  })

  it('say where: triangles of both, and points of them so far apart', () => {
    const parts = new PartClearances(rest, rule, { reach: 0.8 })
    const places: NearestOfParts[] = []
    const keep = ({ triangles, weights }: NearestOfParts) => places.push({ triangles, weights: weights.slice() })
    for (const distance of [2.7, 2.3, 2.01]) {
      const positions = apart(distance)
      parts.moveTo(positions)
      const clearance = of(parts, 0, keep)
      const nearest = places.pop()!
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
    of(parts, 0, keep)
    expect(places).toEqual([])
    parts.moveTo(apart(1.7))
    of(parts, 0, keep)
    expect(places[0].triangles.map((triangle) => ofTriangle[triangle])).toEqual([0, 1])
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
      const all = allOf(parts)
      expect(Math.min(...all)).toBeGreaterThan(0.1)
      const none = new NeighbourRule(mesh, { ofTriangle: ring, joined: nextTo }, { along: 0, near: 0 })
      const strict = new PartClearances(mesh, none, { reach: 0.9 })
      const withThem = allOf(strict)
      expect(withThem.every((value, pair) => value <= all[pair])).toBe(true)
      expect(withThem.some((value, pair) => value < all[pair])).toBe(true)
    }
  })

  it('are no less of parts that lie behind each other at rest when others touch', () => {
    const one = ball(24, 32, () => 1)
    const flat = { ...one, positions: one.positions.map((value, i) => (i % 3 === 0 ? 0.3 * value : value)) }
    const rest = joined(flat, moved(one, 4))
    const count = one.triangles.length / 3
    // Both sides of the flat one, all between them, and the round one.
    const sides = Uint16Array.from({ length: 2 * count }, (_, t) => {
      const x = [0, 1, 2].reduce((sum, k) => sum + rest.positions[3 * rest.triangles[3 * t + k]] / 3, 0)
      return t >= count ? 3 : x < -0.18 ? 0 : x > 0.18 ? 1 : 2
    })
    const near = new NeighbourRule(rest, { ofTriangle: sides }, { along: 0.1, near: 0 })
    const parts = new PartClearances(rest, near, { reach: 0.9 })
    const pairOf = (a: number, b: number): number =>
      [...Array(parts.pairs.length / 2).keys()].find((i) => parts.pairs[2 * i] === a && parts.pairs[2 * i + 1] === b)!
    /** @param distance  of the round one's middle */
    const at = (distance: number): number[] => {
      parts.moveTo(rest.positions.map((x, i) => (i >= flat.positions.length && i % 3 === 0 ? x - 4 + distance : x)))
      return allOf(parts)
    }
    const [free, touching] = [at(1.5), at(1.2)]
    expect(touching[pairOf(1, 3)]).toBeLessThan(0)
    expect(free[pairOf(0, 1)]).toBeGreaterThan(0.3)
    expect(touching[pairOf(0, 1)]).toBe(free[pairOf(0, 1)])
  })

  it('need a reach', () => {
    expect(() => new PartClearances(rest, rule, { reach: 0 })).toThrow(/clearances: reach is 0/)
  })
})
