/** Depths of triangles that meet: by closed forms, and by what it takes to part them. */
import { expect, it } from 'vitest'
import { triangleOverlap } from '../../src/exact/triangle-overlap.js'
import { trianglesMeet } from '../../src/exact/triangle-triangle.js'
import { randomStream } from '../../src/index.js'

const FLAT = [0, 0, 0, 4, 0, 0, 0, 4, 0]

it('is how far a corner reaches through a face, or two sides past each other', () => {
  const corner = (depth: number) => Float64Array.from([...FLAT, 1, 1, -depth, 1, 1.2, 3, 1.2, 1, 3])
  for (const depth of [0.25, 0.01, 0])
    expect(triangleOverlap(corner(depth), 0, corner(depth), 9)).toBeCloseTo(depth, 12)
  // Two upright triangles, the side of one on top of that of the other, crosswise.
  const sides = (depth: number) =>
    Float64Array.from([-1, 0, 0, 1, 0, 0, 0, 0, -5, 0, -1, -depth, 0, 1, -depth, 0, 0, 5])
  for (const depth of [0.2, 0.01]) expect(triangleOverlap(sides(depth), 0, sides(depth), 9)).toBeCloseTo(depth, 12)
  expect(triangleOverlap(sides(-0.1), 0, sides(-0.1), 9)).toBeCloseTo(-0.1, 12)
})

it('is none of triangles in one plane, as the least step out of it parts them; beside each other it is less', () => {
  const inside = Float64Array.from([...FLAT, 0.1, 0.1, 0, -4, 0.1, 0, 0.1, -4, 0])
  expect(triangleOverlap(inside, 0, inside, 9)).toBeCloseTo(0, 12)
  const beside = Float64Array.from([...FLAT, -0.5, 0, 0, -4, 0, 0, -0.5, 4, 0])
  expect(triangleOverlap(beside, 0, beside, 9)).toBeCloseTo(-0.5, 12)
})

it('parts triangles that meet if one moves so far the best way, and no less, whichever way (seed 4)', () => {
  const random = randomStream(4)
  let met = 0
  for (let i = 0; i < 400; i++) {
    const both = Float64Array.from({ length: 18 }, () => random.between(-1, 1))
    const depth = triangleOverlap(both, 0, both, 9)
    if (!trianglesMeet(both, 0, both, 9)) {
      expect(depth).toBeLessThanOrEqual(1e-12)
      continue
    }
    met++
    expect(depth).toBeGreaterThan(0)
    let isParted = false
    for (let way = 0; way < 60; way++) {
      const to = [random.normal(), random.normal(), random.normal()]
      const length = Math.hypot(...to)
      const moved = (far: number) => both.map((x, k) => (k < 9 ? x : x + (far * to[k % 3]) / length))
      expect(trianglesMeet(moved(0.999 * depth), 0, moved(0.999 * depth), 9)).toBe(true)
      isParted ||= !trianglesMeet(moved(1.5 * depth), 0, moved(1.5 * depth), 9)
    }
    expect(isParted).toBe(true)
  }
  expect(met).toBeGreaterThan(50)
})
