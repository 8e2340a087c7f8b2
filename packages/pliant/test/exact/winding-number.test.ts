import { expect, test } from 'vitest'
import { CrossingNumber } from '../../src/exact/crossing-number.js'
import { TriangleTree } from '../../src/exact/triangle-tree.js'
import { WindingNumber } from '../../src/exact/winding-number.js'
import { randomStream } from '../../src/math/random.js'
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import { BruteForce } from './brute-force.js'
import { ball, box, bumpyTorus, inverted, joined, moved, spiky, spindleTorus } from './shapes.js'

const someOf = (mesh: TriangleMesh, keep: (t: number) => boolean): TriangleMesh => ({
  ...mesh,
  triangles: mesh.triangles.filter((_, i) => keep(Math.trunc(i / 3))),
})

const open: TriangleMesh[] = [
  someOf(bumpyTorus(40, 20), (t) => t < 1000),
  someOf(bumpyTorus(40, 20), (t) => t % 5 !== 0),
  someOf(spiky(), (t) => t % 3 !== 0),
  bumpyTorus(40, 20),
]

test.each([
  [2, 3e-2],
  [4, 4e-3],
  [16, 1e-4],
  [Infinity, 1e-12],
])('summed with reach %d the number is within %d of brute force (seed 1)', (reach, tolerance) => {
  const random = randomStream(1)
  for (const mesh of open) {
    const winding = new WindingNumber(new TriangleTree(mesh, 4))
    const reference = new BruteForce(mesh)
    for (let i = 0; i < 400; i++) {
      const [x, y, z] = [random.between(-2, 2), random.between(-2, 2), random.between(-1, 1)]
      expect(Math.abs(winding.at(x, y, z, reach) - reference.winding(x, y, z))).toBeLessThan(tolerance)
    }
  }
})

test('inside agrees with the exact number also where that is nearly one half (seed 2)', () => {
  const random = randomStream(2)
  const mesh = open[0]
  const winding = new WindingNumber(new TriangleTree(mesh, 4))
  const reference = new BruteForce(mesh)
  let close = 0
  for (let i = 0; i < 60; i++) {
    // Along the tube and out through its open end, bisected ever nearer to one half.
    const [radius, height] = [1 + random.between(-0.2, 0.2), random.between(-0.2, 0.2)]
    const at = (angle: number) => [radius * Math.cos(angle), radius * Math.sin(angle), height] as const
    let [low, high] = [2, 4.6]
    for (let step = 0; step < i % 30; step++) {
      const middle = (low + high) / 2
      if (reference.winding(...at(middle)) > 0.5) low = middle
      else high = middle
    }
    for (const angle of [low, high]) {
      const exact = reference.winding(...at(angle))
      if (Math.abs(exact - 0.5) < 1e-4) close++
      expect(winding.inside(...at(angle))).toBe(exact > 0.5)
    }
  }
  expect(close).toBeGreaterThan(10)
})

test('crossings count the whole winding number, also twice round and negative (seed 3)', () => {
  const random = randomStream(3)
  const sphere = ball(8, 12, () => 1)
  const nested = joined(
    sphere,
    moved(sphere, [0.3, 0, 0]),
    moved(inverted(sphere), [0, 0.4, 0]),
    box([-2, -2, -2], [2, 2, 2]),
  )
  const seen = new Set<number>()
  for (const mesh of [nested, spindleTorus(), inverted(sphere)]) {
    const crossings = new CrossingNumber(new TriangleTree(mesh, 4))
    const reference = new BruteForce(mesh)
    for (let i = 0; i < 600; i++) {
      const [x, y, z] = [random.between(-2.5, 2.5), random.between(-2.5, 2.5), random.between(-2.5, 2.5)]
      const count = crossings.at(x, y, z)
      seen.add(count)
      expect(count).toBe(Math.round(reference.winding(x, y, z)) + 0)
    }
  }
  expect([...seen].sort()).toEqual([-1, 0, 1, 2, 3])
})

test('rays through edges, corners and along faces are counted once', () => {
  const grid = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5]
  const cube = joined(box([-1, -1, -1], [1, 1, 1]), box([1, 1, 1], [2, 2, 2]), box([-1, 1, -1], [0, 2, 0]))
  const crossings = new CrossingNumber(new TriangleTree(cube, 4))
  const within = (v: number[], low: number[], high: number[]) =>
    v.every((value, k) => value > low[k] && value < high[k]) ? 1 : 0
  const onFace = (v: number[]) =>
    [
      [-1, -1, -1, 1, 1, 1],
      [1, 1, 1, 2, 2, 2],
      [-1, 1, -1, 0, 2, 0],
    ].some((b) => v.every((value, k) => value >= b[k] && value <= b[k + 3]) && !within(v, b.slice(0, 3), b.slice(3)))
  for (const x of grid) {
    for (const y of grid) {
      for (const z of grid) {
        if (onFace([x, y, z])) continue
        const expected =
          within([x, y, z], [-1, -1, -1], [1, 1, 1]) +
          within([x, y, z], [1, 1, 1], [2, 2, 2]) +
          within([x, y, z], [-1, 1, -1], [0, 2, 0])
        expect(crossings.at(x, y, z), `${x}, ${y}, ${z}`).toBe(expected)
      }
    }
  }
})
