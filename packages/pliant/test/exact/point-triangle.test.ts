import { expect, test } from 'vitest'
import { closestOnTriangle, FEATURE_CORNER, FEATURE_FACE, FEATURE_SIDE } from '../../src/exact/point-triangle.js'
import { randomStream } from '../../src/math/random.js'

const out = new Float64Array(4)
const triangle = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0)

test.each([
  ['inside', [1, 1, 5], FEATURE_FACE, [1, 1, 0]],
  ['first side', [1, -3, 2], FEATURE_SIDE, [1, 0, 0]],
  ['second side', [4, 4, 1], FEATURE_SIDE + 1, [2, 2, 0]],
  ['third side', [-1, 3, 0], FEATURE_SIDE + 2, [0, 3, 0]],
  ['first corner', [-1, -2, 1], FEATURE_CORNER, [0, 0, 0]],
  ['second corner', [7, -1, 0], FEATURE_CORNER + 1, [4, 0, 0]],
  ['third corner', [-1, 9, 0], FEATURE_CORNER + 2, [0, 4, 0]],
] as [string, number[], number, number[]][])('closest feature: %s', (_, [x, y, z], feature, point) => {
  const squared = closestOnTriangle(triangle, 0, x, y, z, out)
  expect(Array.from(out)).toEqual([...point, feature])
  expect(squared).toBe((x - point[0]) ** 2 + (y - point[1]) ** 2 + (z - point[2]) ** 2)
})

type Vector = number[]
const toSegment = (p: Vector, a: Vector, b: Vector): number => {
  const [u, w] = [b.map((value, k) => value - a[k]), p.map((value, k) => value - a[k])]
  const square = u[0] ** 2 + u[1] ** 2 + u[2] ** 2
  const t = square > 0 ? Math.min(Math.max((u[0] * w[0] + u[1] * w[1] + u[2] * w[2]) / square, 0), 1) : 0
  return Math.hypot(w[0] - t * u[0], w[1] - t * u[1], w[2] - t * u[2])
}

/** Without any plane: the nearest of the segments from a corner to the opposite side, searched from all three corners. */
function searched(p: Vector, corners: Vector[]): number {
  let best = Infinity
  for (let k = 0; k < 3; k++) {
    const [tip, a, b] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]]
    const at = (s: number) =>
      toSegment(
        p,
        tip,
        a.map((value, axis) => value * (1 - s) + b[axis] * s),
      )
    const samples = Array.from({ length: 33 }, (_, i) => at(i / 32))
    const i = samples.indexOf(Math.min(...samples))
    let [low, high] = [Math.max(i - 1, 0) / 32, Math.min(i + 1, 32) / 32]
    for (let step = 0; step < 60; step++) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3]
      if (at(left) < at(right)) high = right
      else low = left
    }
    best = Math.min(best, at(low), ...samples)
  }
  return best
}

test('3,000 random triangles, a third of them needles or collapsed, against a search (seed 8)', () => {
  const random = randomStream(8)
  let worst = 0
  for (let k = 0; k < 3000; k++) {
    const c = Float64Array.from({ length: 9 }, () => random.between(-1, 1))
    const width = k % 3 === 0 ? (k % 2 === 0 ? 0 : 10 ** random.between(-12, -3)) : 1
    const along = random.between(-0.5, 1.5)
    for (let axis = 0; axis < 3; axis++) {
      const onLine = c[axis] * (1 - along) + c[3 + axis] * along
      if (width < 1) c[6 + axis] = onLine + width * c[6 + axis]
    }
    // Far, or near the first side: there needles lose their digits.
    const [at, reach] = k % 5 < 2 ? [random.uniform(), 10 ** random.between(-14, 0)] : [0, 2]
    const p = [0, 1, 2].map((axis) => c[axis] * (1 - at) + c[3 + axis] * at + reach * random.between(-1, 1))
    const distance = Math.sqrt(closestOnTriangle(c, 0, p[0], p[1], p[2], out))
    worst = Math.max(
      worst,
      Math.abs(
        distance -
          searched(
            p,
            [0, 3, 6].map((o) => Array.from(c.subarray(o, o + 3))),
          ),
      ),
    )
    // The point that it names is at the distance that it names.
    expect(Math.hypot(p[0] - out[0], p[1] - out[1], p[2] - out[2])).toBeCloseTo(distance, 9)
  }
  expect(worst).toBeLessThan(1e-9)
})
