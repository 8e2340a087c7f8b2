import { describe, expect, test } from 'vitest'
import { trianglesMeet } from '../../src/exact/triangle-triangle.js'
import { randomStream } from '../../src/math/random.js'

type Integers = [bigint, bigint, bigint]
const minus = (a: Integers, b: Integers): Integers => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Integers, b: Integers): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Integers, b: Integers): Integers => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/**
 * Separating axes in whole numbers: two convex sets are apart iff some axis separates them strictly. Beside the usual
 * eleven, the axes within a common plane or line are tried, so that coplanar and collapsed triangles are decided too.
 */
function apart(a: Integers[], b: Integers[]): boolean {
  const sides = [a, b].flatMap((t) => [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])])
  const between = a.flatMap((v) => b.map((w) => minus(w, v)))
  const axes: Integers[] = [...between]
  for (const [i, u] of sides.entries()) {
    for (const v of [...sides.slice(i + 1), ...between]) {
      const normal = cross(u, v)
      axes.push(normal)
      for (const w of sides) axes.push(cross(normal, w))
    }
  }
  return axes.some((axis) => {
    const [pa, pb] = [a.map((v) => dot(v, axis)), b.map((v) => dot(v, axis))]
    return pa.every((x) => pb.every((y) => x < y)) || pa.every((x) => pb.every((y) => x > y))
  })
}

/** Exact: every double times 2^60 is a whole number as long as its last bit is worth 2^-60 or more. */
const whole = (t: Float64Array): Integers[] =>
  [0, 3, 6].map((k) => Array.from(t.subarray(k, k + 3), (x) => BigInt(x * 2 ** 60)) as Integers)

function check(p: Float64Array, q: Float64Array): boolean {
  const expected = !apart(whole(p), whole(q))
  const note = `${Array.from(p)} | ${Array.from(q)}`
  expect(trianglesMeet(p, 0, q, 0), note).toBe(expected)
  expect(trianglesMeet(q, 0, p, 0), `swapped ${note}`).toBe(expected)
  return expected
}

describe('against separating axes in whole numbers', () => {
  test('1,500 pairs on a grid of 4: touching, coplanar and collapsed in plenty (seed 1)', () => {
    const random = randomStream(1)
    let meeting = 0
    for (let k = 0; k < 1500; k++) {
      const flat = k % 3 === 0 ? 1 : 4
      const draw = () => Float64Array.from({ length: 9 }, (_, i) => random.below(i % 3 === 2 ? flat : 4))
      if (check(draw(), draw())) meeting++
    }
    expect(meeting).toBeGreaterThan(300)
    expect(meeting).toBeLessThan(1300)
  })

  test('400 pairs that miss or touch by the last bit (seed 2)', () => {
    const random = randomStream(2)
    let meeting = 0
    for (let k = 0; k < 400; k++) {
      const p = Float64Array.from({ length: 9 }, () => random.uniform())
      const q = Float64Array.from({ length: 9 }, () => random.uniform())
      // One corner of q onto a side or into the face of p, off by a few units of the last place.
      const [s, t] = [random.uniform(), k % 2 === 0 ? 0 : random.uniform() / 2]
      for (let axis = 0; axis < 3; axis++) {
        const foot = p[axis] * (1 - s - t) + p[3 + axis] * s + p[6 + axis] * t
        q[axis] = Math.round(foot * 2 ** 52 + random.below(5) - 2) / 2 ** 52
      }
      if (check(p, q)) meeting++
    }
    expect(meeting).toBeGreaterThan(50)
  })
})

describe('cases by hand', () => {
  const flat = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0)
  test.each([
    ['a corner that touches the inside', [1, 1, 0, 1, 1, 1, 2, 1, 1], true],
    ['a corner that touches a side', [2, 0, 0, 2, -1, 1, 2, -1, -1], true],
    ['two corners at one place', [0, 0, 0, -1, 0, 1, -1, -1, 1], true],
    ['one inside the other, coplanar', [1, 1, 0, 2, 1, 0, 1, 2, 0], true],
    ['side along side, coplanar', [0, 0, 0, 4, 0, 0, 2, -3, 0], true],
    ['apart, coplanar', [5, 5, 0, 6, 5, 0, 5, 6, 0], false],
    ['parallel and above', [1, 1, 1e-300, 2, 1, 1e-300, 1, 2, 1e-300], false],
    ['a collapsed one that pierces', [1, 1, -1, 1, 1, 1, 1, 1, 0.5], true],
    ['a collapsed one that passes by', [3, 3, -1, 3, 3, 1, 3, 3, 0], false],
    ['a point in the face', [1, 1, 0, 1, 1, 0, 1, 1, 0], true],
    ['a point beside it', [3, 3, 0, 3, 3, 0, 3, 3, 0], false],
  ] as [string, number[], boolean][])('%s', (_, other, expected) => {
    expect(trianglesMeet(flat, 0, Float64Array.from(other), 0)).toBe(expected)
    expect(trianglesMeet(Float64Array.from(other), 0, flat, 0)).toBe(expected)
  })
})
