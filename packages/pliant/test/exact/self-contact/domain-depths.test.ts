import { describe, expect, test } from 'vitest'
import { domainShares, splitDepths } from '../../../src/exact/self-contact/domain-depths.js'
import { posedSelfContact } from '../../../src/exact/self-contact/posed-self-contact.js'
import { SelfIntersection } from '../../../src/exact/self-intersection.js'
import type { Floats } from '../../../src/math/floats.js'
import { randomStream } from '../../../src/math/random.js'

const FACES = [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0]

/**
 * A wide tetrahedron whose top lies in z = 0, and a small one that stands on its tip, so deep in the top: its three sides cross
 * the top, each as deep as the tip, and nothing else meets.
 */
function tipInTop(depth: number) {
  const positions = [
    [-10, -10, 0],
    [10, -10, 0],
    [0, 20, 0],
    [0, 0, -10],
    ...[0, 1, 2].map((k) => [Math.cos((2 * Math.PI * k) / 3), Math.sin((2 * Math.PI * k) / 3), 1]),
    [0, 0, -depth],
  ].flat()
  return {
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from([...FACES, ...FACES.map((vertex) => vertex + 4)]),
  }
}

/** The small one moves up by the code. */
function movingTip(depth: number) {
  const { positions: rest, triangles } = tipInTop(depth)
  const positions = (code: ArrayLike<number>, out: Floats): void => {
    for (let i = 0; i < rest.length; i++) out[i] = rest[i] + (i >= 12 && i % 3 === 2 ? code[0] : 0)
  }
  return {
    codeSize: 1,
    bounds: { lower: Float64Array.of(-1), upper: Float64Array.of(1) },
    vertexCount: 8,
    triangles,
    positions,
    movedPoints: (): never => {
      throw new Error('not asked for')
    },
  }
}

const ONE_EACH = Float64Array.from({ length: 16 }, (_, i) => Number(i % 2 === (i < 8 ? 0 : 1)))

describe('depths of domains', () => {
  test('are half of three depths each, of a tip in a plane', () => {
    const mesh = tipInTop(0.25)
    const out = new Float64Array(2)
    const whole = splitDepths(new SelfIntersection(mesh).pairs(), domainShares(mesh.triangles, ONE_EACH, 2), out)
    expect(whole).toBeCloseTo(0.75, 12)
    expect([...out]).toEqual([expect.closeTo(0.375, 12), expect.closeTo(0.375, 12)])
  })

  test('go by how much of each corner is of a domain', () => {
    const mesh = tipInTop(0.25)
    // The tip alone is of a third domain, by half: a sixth of each of its triangles.
    const weights = Float64Array.from({ length: 24 }, (_, i) => {
      const [vertex, domain] = [Math.floor(i / 3), i % 3]
      if (vertex === 7) return [0, 2, 2][domain]
      return Number(domain === (vertex < 4 ? 0 : 1))
    })
    const out = new Float64Array(3)
    splitDepths(new SelfIntersection(mesh).pairs(), domainShares(mesh.triangles, weights, 3), out)
    expect([...out]).toEqual([0.375, 0.3125, 0.0625].map((value) => expect.closeTo(value, 12)))
  })

  test('sum up to the whole, whatever the shares, seed 41', () => {
    const random = randomStream(41)
    const mesh = tipInTop(0.1)
    const weights = Float64Array.from({ length: 8 * 5 }, () => random.uniform())
    const shares = domainShares(mesh.triangles, weights, 5)
    for (let t = 0; t < 8; t++) {
      const sum = shares.ofTriangle.subarray(5 * t, 5 * t + 5).reduce((total, share) => total + share, 0)
      expect(sum).toBeCloseTo(1, 12)
    }
    const out = new Float64Array(5).fill(7)
    const whole = splitDepths(new SelfIntersection(mesh).pairs(), shares, out)
    expect(out.reduce((total, depth) => total + depth, 0)).toBeCloseTo(whole, 12)
    expect(whole).toBeCloseTo(0.3, 12)
  })

  test('count nothing of what meets at rest already', () => {
    // Pairs that meet at rest are neighbours, however deep they go later.
    const { test: touching } = posedSelfContact(movingTip(0.25))
    expect(touching.depth([0])).toBe(0)
    expect(touching.depth([-0.2])).toBe(0)
    // At rest so far apart that no pair is a neighbour, and then in each other.
    const { test: apart } = posedSelfContact({ ...movingTip(-0.5), neighbours: { along: 0, near: 0 } })
    expect(apart.depth([0])).toBe(0)
    expect(apart.depth([-0.75])).toBeCloseTo(0.75, 12)
    const { pairs, depths } = apart.intersections([-0.75])
    expect(pairs).toHaveLength(6)
    expect([...depths]).toEqual([0.25, 0.25, 0.25].map((value) => expect.closeTo(value, 12)))
  })

  test('are refused of vertices that belong nowhere', () => {
    const { triangles } = tipInTop(0.25)
    expect(() => domainShares(triangles, new Float64Array(16), 2)).toThrow(
      'domains: vertex 0 is of no domain; give it a weight above 0 in one.',
    )
    expect(() => domainShares(triangles, ONE_EACH.subarray(0, 14), 2)).toThrow(
      'domains: vertex 7 has weight undefined in domain 0; give zero or more.',
    )
  })
})
