/** The search by kernels against its plain twin: the same pairs to the last one, and the same depths. */
import { describe, expect, test } from 'vitest'
import {
  type IntersectingPairs,
  type PairRule,
  SelfIntersection,
  type SelfIntersectionOptions,
} from '../../../src/exact/self-intersection.js'
import { ScalarPairs } from '../../../src/exact/self-pairs/scalar-pairs.js'
import { SimdPairs } from '../../../src/exact/self-pairs/wasm/simd-pairs.js'
import { type Random, randomStream } from '../../../src/math/random.js'
import { checkAddresses } from '../../../src/math/wasm/address-check.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { ball, box, bumpyTorus, joined, moved, spiky, unwelded } from '../shapes.js'

/** Compared as text: thousands of numbers by `toEqual` take longer than all the searches. */
const textOf = ({ pairs, depths, truncated }: IntersectingPairs): string =>
  `${truncated} ${pairs.join()} ${depths.join()}`

/** Finds pairs both ways in each shape. @returns how many there were in all */
function comparePairs(
  mesh: TriangleMesh,
  shapes: readonly ArrayLike<number>[],
  options?: SelfIntersectionOptions,
): number {
  const [simd, scalar] = (['simd', 'scalar'] as const).map(
    (kernel) => new SelfIntersection(mesh, { ...options, kernel }),
  )
  let pairs = 0
  for (const [i, shape] of shapes.entries()) {
    for (const self of [simd, scalar]) self.update(Float64Array.from(shape))
    const due = scalar.pairs()
    expect(textOf(simd.pairs()), `shape ${i}`).toBe(textOf(due))
    // Without the pair that the last shape may have left behind.
    expect(new SelfIntersection({ ...mesh, positions: Float64Array.from(shape) }, options).any()).toBe(
      due.pairs.length > 0,
    )
    pairs += due.pairs.length / 2
  }
  return pairs
}

const bent = ({ positions: p }: TriangleMesh, random: Random, strength: number): Float64Array => {
  const waves = Array.from({ length: 9 }, () => [0, 1, 2, 3].map(() => 2 * random.normal()))
  const shift = (v: number, axis: number): number =>
    waves
      .slice(3 * axis, 3 * axis + 3)
      .reduce((sum, [a, b, c, d]) => sum + Math.sin(a * p[v] + b * p[v + 1] + c * p[v + 2] + d), 0)
  return Float64Array.from(p, (value, i) => value + strength * shift(i - (i % 3), i % 3))
}

const bentShapes = (mesh: TriangleMesh, count: number, seed: number): Float64Array[] => {
  const random = randomStream(seed)
  return Array.from({ length: count }, () => bent(mesh, random, random.between(0, 0.5)))
}

describe('pairs by kernels are those of the plain search', () => {
  test('of surfaces bent at random, one shape after another (seed 51)', () => {
    expect(comparePairs(bumpyTorus(40, 18), bentShapes(bumpyTorus(40, 18), 20, 51))).toBeGreaterThan(300)
    expect(comparePairs(spiky(), bentShapes(spiky(), 10, 52))).toBeGreaterThan(100)
  })

  test('in single precision as well (seed 53)', () => {
    const mesh = bumpyTorus(30, 14)
    const [simd, scalar] = (['simd', 'scalar'] as const).map((kernel) => new SelfIntersection(mesh, { kernel }))
    for (const shape of bentShapes(mesh, 10, 53)) {
      for (const self of [simd, scalar]) self.update(Float32Array.from(shape))
      expect(textOf(simd.pairs())).toBe(textOf(scalar.pairs()))
    }
  })

  test.each([1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 66, 255, 257])('of %i triangles in a heap (seed 54)', (count) => {
    const random = randomStream(54, count)
    const mesh = {
      positions: new Float64Array(9 * count),
      triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
    }
    const shapes = Array.from({ length: 6 }, () => mesh.positions.map(() => random.between(0, 3)))
    const pairs = comparePairs({ ...mesh, positions: shapes[0] }, shapes)
    if (count > 4) expect(pairs).toBeGreaterThan(count / 4)
  })

  test('where triangles touch, overlap in a plane or are collapsed: corners on a grid of 4 (seed 55)', () => {
    const random = randomStream(55)
    const count = 60
    const triangles = Uint32Array.from({ length: 3 * count }, () => random.below(100))
    const shapes = Array.from({ length: 30 }, () => Float64Array.from({ length: 300 }, () => random.below(4)))
    expect(comparePairs({ positions: shapes[0], triangles }, shapes)).toBeGreaterThan(1000)
  })

  test('of a shell twice in the same place, and of one that is a last bit away from the other', () => {
    const shell = bumpyTorus(16, 10)
    const twice = joined(shell, shell)
    const away = twice.positions.map((value, i) => (i < shell.positions.length ? value : value * (1 + 2 ** -52)))
    expect(comparePairs(twice, [twice.positions, away])).toBeGreaterThan(1000)
  })

  test('of triangles without shared vertices, with places that count as one and without', () => {
    const soup = unwelded(ball(8, 12, () => 1))
    const folded = soup.positions.map((value, i) => (i % 3 === 0 ? 0.1 * value : value))
    expect(comparePairs(soup, [soup.positions, folded])).toBeGreaterThan(500)
    expect(comparePairs(soup, [soup.positions, folded], { weld: true })).toBe(0)
  })

  test('of triangles around one vertex, more than the plan lists', () => {
    const count = 300
    const random = randomStream(56)
    const positions = Float64Array.from({ length: 3 * (2 * count + 1) }, (_, i) => (i < 3 ? 0 : random.normal()))
    const triangles = Uint32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? 0 : i - Math.floor(i / 3)))
    const fan = { positions, triangles }
    expect(comparePairs(fan, [positions])).toBe(0)
    // And where a shell lies across it.
    expect(
      comparePairs(
        joined(
          fan,
          ball(8, 12, () => 0.5),
        ),
        [
          joined(
            fan,
            ball(8, 12, () => 0.5),
          ).positions,
        ],
      ),
    ).toBeGreaterThan(300)
  })

  test.each([
    ['a thousand sizes from the origin', 1, 1e3],
    ['a million', 1, 1e6],
    ['so far away that all corners are on a grid', 1, 1e15],
    ['of a micrometre', 1e-6, 0],
    ['of a micrometre, a metre away', 1e-6, 1],
    ['of the size of the Earth', 1e7, 0],
    ['of atoms', 1e-40, 0],
    ['whose products vanish', 1e-110, 0],
    ['whose products overflow', 1e110, 0],
    ['near the end of doubles', 1e307, 0],
  ])('of a surface %s (seed 57)', (_, scale, offset) => {
    const mesh = bumpyTorus(24, 12)
    const shapes = bentShapes(mesh, 5, 57).map((shape) => shape.map((value) => scale * value + offset))
    comparePairs({ ...mesh, positions: shapes[0] }, shapes)
  })

  test('of one that grows and shrinks by the whole range of doubles (seed 58)', () => {
    const mesh = bumpyTorus(20, 10)
    const shape = bentShapes(mesh, 4, 58)[3]
    const sizes = [1, 1e-30, 1e30, 1e-200, 1e200, 1e-300, 0, 1e3, 1e300, 1]
    expect(
      comparePairs(
        mesh,
        sizes.map((size) => shape.map((value) => size * value)),
      ),
    ).toBeGreaterThan(10)
  })

  test('where a rule leaves pairs alone, by parts, by groups, or one by one (seed 59)', () => {
    const mesh = bumpyTorus(40, 16)
    const shapes = bentShapes(mesh, 8, 59)
    const count = mesh.triangles.length / 3
    const parts = Uint32Array.from({ length: count }, (_, t) => Math.floor((40 * t) / count))
    const isJoined = (a: number, b: number): boolean => Math.abs(a - b) < 8
    const leavesParts = Uint8Array.from({ length: 1600 }, (_, i) => Number(isJoined(Math.floor(i / 40), i % 40)))
    const alone = (a: number, b: number): boolean => isJoined(parts[a], parts[b]) || (a + b) % 5 === 0
    const byParts: PairRule = { parts, partCount: 40, leavesParts, leavesAlone: alone }
    const byGroups: PairRule = {
      ...byParts,
      leavesParts: new Uint8Array(1600),
      groupSize: 0.3,
      leavesGroups(groups) {
        const bits = new Uint32Array(Math.ceil(groups.length ** 2 / 32))
        for (const [a, group] of groups.entries()) {
          for (const [b, other] of groups.entries()) {
            const bit = a * groups.length + b
            const areAll = Array.from(group).every((s) => Array.from(other).every((t) => isJoined(parts[s], parts[t])))
            if (areAll) bits[bit >>> 5] |= 1 << (bit & 31)
          }
        }
        return bits
      },
    }
    const all = comparePairs(mesh, shapes)
    const left = comparePairs(mesh, shapes, { neighbours: byParts })
    expect(left).toBeGreaterThan(50)
    expect(left).toBeLessThan(0.8 * all)
    expect(comparePairs(mesh, shapes, { neighbours: byGroups, weld: true })).toBe(left)
  })

  test('however near they come to meeting without it: gaps from a tenth to a last bit (seed 60)', () => {
    const random = randomStream(60)
    const count = 3000
    const positions = new Float64Array(18 * count)
    for (let k = 0; k < count; k++) {
      // Far from each other; the second one's first corner next to a point of the first one's inside or rim.
      const at = [0, 1, 2].map((axis) => 4 * (Math.floor(k / 15 ** axis) % 15))
      const corners = Array.from({ length: 6 }, () => at.map((value) => value + random.between(-1, 1)))
      const [u, v] = [random.between(0, 1), random.below(2) * random.between(0, 1)]
      const gap = 10 ** random.between(-16, -1)
      for (let axis = 0; axis < 3; axis++) {
        const [a, b, c] = [0, 1, 2].map((corner) => corners[corner][axis])
        corners[3][axis] = a + u * (b - a) + (1 - u) * v * (c - a) + gap * random.normal()
      }
      positions.set(corners.flat(), 18 * k)
    }
    const pairs = comparePairs({ positions, triangles: Uint32Array.from({ length: 6 * count }, (_, i) => i) }, [
      positions,
    ])
    expect(pairs).toBeGreaterThan(0.2 * count)
    expect(pairs).toBeLessThan(0.8 * count)
  })
})

test('kernels stay within their arrays (seed 61)', () => {
  for (const mesh of [bumpyTorus(20, 10), box([0, 0, 0], [1, 1, 1]), bumpyTorus(9, 7)]) {
    const simd = new SimdPairs(mesh, undefined, undefined, checkAddresses)
    const scalar = new ScalarPairs(mesh, undefined, undefined)
    for (const shape of bentShapes(mesh, 2, 61)) {
      const found = [simd, scalar].map((search) => {
        const keys: string[] = []
        search.moveTo(shape)
        search.search((a, b) => keys.push(`${Math.min(a, b)} ${Math.max(a, b)}`) > 0)
        return keys.sort()
      })
      expect(found[0]).toEqual(found[1])
    }
  }
})

test('positions that are not finite are refused, and nothing has moved', () => {
  const apart = joined(box([0, 0, 0], [1, 1, 1]), moved(box([0, 0, 0], [1, 1, 1]), [3, 0, 0]))
  const self = new SelfIntersection(apart, { kernel: 'simd' })
  const wrong = apart.positions.map((value, i) => (i === 40 ? NaN : 0.1 * value))
  expect(() => self.update(wrong)).toThrow(/vertex 13/)
  expect(self.any()).toBe(false)
})
