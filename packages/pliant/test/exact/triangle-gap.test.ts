import { expect, test } from 'vitest'
import { type TriangleGap, triangleGap } from '../../src/exact/triangle-gap.js'
import { trianglesMeet } from '../../src/exact/triangle-triangle.js'
import { randomStream } from '../../src/math/random.js'

const gap: TriangleGap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }

test('two triangles lie as far apart as a search over points of both says, seed 3', () => {
  const random = randomStream(3)
  let sides = 0
  for (let round = 0; round < 200; round++) {
    const c = Float64Array.from({ length: 18 }, (_, i) => random.between(-1, 1) + (i < 9 || i % 3 > 0 ? 0 : 1.5))
    if (trianglesMeet(c, 0, c, 9)) continue
    triangleGap(c, 0, 9, gap)
    const between = Math.hypot(...gap.pointA.map((value, axis) => value - gap.pointB[axis]))
    expect(gap.distance).toBeCloseTo(between, 12)
    // Convex: from the middle of both, always towards the nearest mixture of corners, ends at the nearest points.
    const searched = frankWolfe(c)
    expect(gap.distance).toBeLessThanOrEqual(searched + 1e-9)
    expect(searched - gap.distance).toBeLessThan(0.02)
    if (!isCorner(c, 0, gap.pointA) && !isCorner(c, 9, gap.pointB)) sides++
  }
  // Both kinds must have come up: a corner over a face, and two sides.
  expect(sides).toBeGreaterThan(10)
})

function isCorner(c: Float64Array, o: number, p: Float64Array): boolean {
  return [0, 3, 6].some((k) => Math.hypot(c[o + k] - p[0], c[o + k + 1] - p[1], c[o + k + 2] - p[2]) < 1e-12)
}

/** Distance after many steps of Frank and Wolfe: an upper bound that comes close. */
function frankWolfe(c: Float64Array): number {
  const difference = [0, 1, 2].map(
    (axis) => (c[axis] + c[3 + axis] + c[6 + axis] - c[9 + axis] - c[12 + axis] - c[15 + axis]) / 3,
  )
  for (let step = 0; step < 400; step++) {
    let least = Infinity
    let toward = difference
    for (let i = 0; i < 9; i += 3) {
      for (let j = 9; j < 18; j += 3) {
        const candidate = [0, 1, 2].map((axis) => c[i + axis] - c[j + axis])
        const value = candidate.reduce((sum, x, axis) => sum + x * difference[axis], 0)
        if (value < least) {
          least = value
          toward = candidate
        }
      }
    }
    const way = toward.map((x, axis) => x - difference[axis])
    const square = way.reduce((sum, x) => sum + x * x, 0)
    const along = -way.reduce((sum, x, axis) => sum + x * difference[axis], 0)
    if (square === 0 || along <= 0) break
    const share = Math.min(1, along / square)
    for (let axis = 0; axis < 3; axis++) difference[axis] += share * way[axis]
  }
  return Math.hypot(...difference)
}
