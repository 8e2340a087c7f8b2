import { describe, expect, it } from 'vitest'
import { NeighbourRule } from '../../../src/exact/self-contact/neighbour-rule.js'
import { SelfIntersection } from '../../../src/exact/self-intersection.js'
import { type TriangleGap, triangleGap } from '../../../src/exact/triangle-gap.js'
import { boxDiagonal, boxOfPoints } from '../../../src/math/box.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { box, bumpyTorus, joined, unwelded } from '../shapes.js'

const rest = bumpyTorus(30, 12)
const diagonal = boxDiagonal(boxOfPoints(rest.positions))
const faces = rest.triangles.length / 3

/** The torus pressed together and crumpled, so that it meets itself near and far. */
function crumpled(seed: number, mesh = rest): TriangleMesh {
  // By its place, so that vertices at one place stay together.
  const positions = mesh.positions.map((value, i, all) => {
    const [x, y, z] = all.subarray(i - (i % 3), i - (i % 3) + 3)
    const push = 0.08 * Math.sin(1000 * (x + 2 * y + 3 * z + seed + 5 * (i % 3)))
    return (i % 3 === 0 ? 0.1 : 1) * value + push
  })
  return { ...mesh, positions }
}

const keysOf = (mesh: TriangleMesh, neighbours?: NeighbourRule): string[] => {
  const { pairs } = new SelfIntersection(mesh, { neighbours, weld: true }).pairs()
  return Array.from({ length: pairs.length / 2 }, (_, i) => `${pairs[2 * i]} ${pairs[2 * i + 1]}`)
}

/** Lengths of all shortest ways along edges, by relaxing every edge until nothing gets shorter (Bellman and Ford). */
function shortestWays({ positions, triangles }: TriangleMesh, from: number): Float64Array {
  const ways = new Float64Array(positions.length / 3).fill(Infinity)
  for (let k = 0; k < 3; k++) ways[triangles[3 * from + k]] = 0
  for (let isShorter = true; isShorter; ) {
    isShorter = false
    for (let i = 0; i < triangles.length; i++) {
      const [a, b] = [triangles[i], triangles[i - (i % 3) + ((i + 1) % 3)]]
      const length = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]))
      for (const [u, v] of [
        [a, b],
        [b, a],
      ]) {
        if (!(ways[u] + length < ways[v])) continue
        ways[v] = ways[u] + length
        isShorter = true
      }
    }
  }
  return ways
}

describe('neighbours', () => {
  it('are told of groups of triangles only where all of their pairs are, and of many such groups', () => {
    const rule = new NeighbourRule(rest, undefined, { along: 0.2, near: 0 })
    const size = 6
    const groups = Array.from({ length: Math.ceil(faces / size) }, (_, g) =>
      Array.from({ length: Math.min(size, faces - g * size) }, (_, i) => g * size + i),
    )
    const bits = rule.leavesGroups(groups)
    let [told, all] = [0, 0]
    for (const [a, ours] of groups.entries()) {
      for (const [b, theirs] of groups.entries()) {
        const bit = a * groups.length + b
        const isTold = ((bits[bit >>> 5] >>> (bit & 31)) & 1) === 1
        const isSo = ours.every((s) => theirs.every((t) => s === t || rule.leavesAlone(s, t)))
        if (isTold) expect(isSo, `groups ${a} and ${b}`).toBe(true)
        told += Number(isTold)
        all += Number(isSo)
      }
    }
    expect(told / all).toBeGreaterThan(0.2)
    // Without them the same pairs are found.
    const plain = { ...rule, leavesAlone: (a: number, b: number) => rule.leavesAlone(a, b) }
    const mesh = crumpled(3)
    expect(keysOf(mesh, rule)).toEqual(keysOf(mesh, plain as NeighbourRule))
    expect(keysOf(mesh, rule).length).toBeGreaterThan(10)
  })

  it('are pairs with a short way along the surface at rest, or nearly touching there', () => {
    const rule = new NeighbourRule(rest, undefined, { along: 0.2, near: 0.06 })
    const mesh = crumpled(1)
    const all = keysOf(mesh)
    const gap: TriangleGap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }
    const known = new Map<number, Float64Array>()
    const expected = all.filter((key) => {
      const [a, b] = key.split(' ').map(Number)
      if (!known.has(a)) known.set(a, shortestWays(rest, a))
      const ways = known.get(a)!
      const way = Math.min(...[0, 1, 2].map((k) => ways[rest.triangles[3 * b + k]]))
      const corners = Float64Array.from(
        [a, b].flatMap((t) =>
          [0, 1, 2].flatMap((k) => {
            const o = 3 * rest.triangles[3 * t + k]
            return [...rest.positions.subarray(o, o + 3)]
          }),
        ),
      )
      triangleGap(corners, 0, 9, gap)
      return way >= 0.2 * diagonal && gap.distance >= 0.06 * diagonal
    })
    expect(keysOf(mesh, rule)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.length).toBeLessThan(0.8 * all.length)
    const none = new NeighbourRule(rest, undefined, { along: 0, near: 0 })
    expect(keysOf(mesh, none)).toEqual(all)
  })

  it('are of joined parts, also where a whole branch of the tree is of one', () => {
    // Twelve parts round the ring, each joined to the next.
    const ofTriangle = Uint16Array.from({ length: faces }, (_, t) => Math.floor((12 * t) / faces))
    const joined = Array.from({ length: 12 }, (_, part) => [part, (part + 1) % 12]).flat()
    const rule = new NeighbourRule(rest, { ofTriangle, joined }, { along: 0, near: 0 })
    const mesh = crumpled(2)
    const all = keysOf(mesh)
    const expected = all.filter((key) => {
      const [a, b] = key.split(' ').map((t) => ofTriangle[Number(t)])
      return a !== b && (a + 1) % 12 !== b && (b + 1) % 12 !== a
    })
    expect(keysOf(mesh, rule)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(all.length / 2)
    const intersection = new SelfIntersection(mesh, { neighbours: rule })
    expect(intersection.any()).toBe(true)
    intersection.update(rest.positions)
    expect(intersection.any()).toBe(false)
  })

  it('are told by ways and distances alone where parts are only told apart, none of them joined', () => {
    const ofTriangle = Uint16Array.from({ length: faces }, (_, t) => Math.floor((12 * t) / faces))
    const options = { along: 0.2, near: 0.06 }
    const rule = new NeighbourRule(rest, { ofTriangle }, options)
    const mesh = crumpled(4)
    const expected = keysOf(mesh, new NeighbourRule(rest, undefined, options))
    expect(keysOf(mesh, rule)).toEqual(expected)
    expect(rule.parts).toBe(ofTriangle)
    expect(rule.partCount).toBe(12)
    // Some of those that meet are within one part.
    const isWithin = (key: string): boolean => new Set(key.split(' ').map((t) => ofTriangle[Number(t)])).size === 1
    expect(keysOf(mesh, new NeighbourRule(rest, { ofTriangle }, { along: 0, near: 0 })).some(isWithin)).toBe(true)
    const apart = new NeighbourRule(rest, { ofTriangle, joined: [] }, { along: 0, near: 0 })
    expect(keysOf(mesh, apart).some(isWithin)).toBe(false)
  })

  it('are clothes on skin: nearly touching at rest, whatever the way along the surface', () => {
    const worn = joined(box([0, 0, 0], [1, 1, 1]), box([1.01, 0, 0], [2, 1, 1]))
    const pressed = { ...worn, positions: worn.positions.map((x, i) => (i < 24 || i % 3 ? x : x - 0.05)) }
    const touching = (near: number) => keysOf(pressed, new NeighbourRule(worn, undefined, { along: 0, near })).length
    const all = keysOf(pressed).length
    expect(all).toBeGreaterThan(4)
    expect(touching(0.003)).toBe(all)
    // Sides that lie .01 apart at rest, a 245th of the diagonal, and none that lie further.
    expect(touching(0.005)).toBeLessThan(all)
    expect(touching(0.9)).toBe(0)
  })

  it('are found across texture seams', () => {
    const split = unwelded(rest)
    const options = { along: 0.2, near: 0 }
    expect(keysOf(crumpled(3, split), new NeighbourRule(split, undefined, options))).toEqual(
      keysOf(crumpled(3), new NeighbourRule(rest, undefined, options)),
    )
  })

  it('of one triangle are all that it is left alone with, but for joined parts', () => {
    const ofTriangle = Uint16Array.from({ length: faces }, (_, t) => Math.floor((12 * t) / faces))
    const joined = Array.from({ length: 12 }, (_, part) => [part, (part + 1) % 12]).flat()
    const reaching = [
      { along: 0.3, near: 0.06 },
      { along: 0.05, near: 0.2 },
    ].map((options) => new NeighbourRule(rest, { ofTriangle, joined }, options))
    for (const [rule, triangle] of reaching.flatMap((rule) => [0, 100, 333].map((t) => [rule, t] as const))) {
      const expected = [...ofTriangle.keys()].filter((other) => {
        const isJoined = rule.leavesParts[12 * ofTriangle[triangle] + ofTriangle[other]] === 1
        return !isJoined && rule.leavesAlone(triangle, other)
      })
      expect(expected.length).toBeGreaterThan(0)
      expect([...rule.closeTo(triangle)].sort((a, b) => a - b)).toEqual(expected)
    }
  })

  it('need lengths that are none or more', () => {
    expect(() => new NeighbourRule(rest, undefined, { along: -1 })).toThrow(/neighbours: along is -1/)
    expect(() => new NeighbourRule(rest, undefined, { near: Number.NaN })).toThrow(/neighbours: near is NaN/)
  })
})
