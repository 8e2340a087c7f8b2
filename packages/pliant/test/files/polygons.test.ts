import { describe, expect, test } from 'vitest'
import { PolygonList } from '../../src/files/polygons.js'
import { randomStream } from '../../src/math/random.js'

/** Points of the plane carried into space by two skew directions, so that no axis is special. */
function inSpace(points: number[][]): Float64Array {
  return Float64Array.from(points.flatMap(([x, y]) => [x + 0.3 * y, 0.2 * x + y, 0.5 * x - 0.7 * y + 3]))
}

function cut(points: number[][]): Uint32Array {
  const list = new PolygonList('obj')
  points.forEach((_, i) => {
    list.addCorner(i, 1)
  })
  list.endFace()
  return list.triangulate(inSpace(points), 1)
}

/** Twice the signed area. */
function area(points: number[][], corners: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < corners.length; i++) {
    const [px, py] = points[corners[i]]
    const [qx, qy] = points[corners[(i + 1) % corners.length]]
    sum += px * qy - qx * py
  }
  return sum
}

/** Triangles that all turn the polygon's way and whose areas add up cover it exactly once. */
function expectCovered(points: number[][]): void {
  const triangles = cut(points)
  expect(triangles.length).toBe(3 * (points.length - 2))
  const whole = area(
    points,
    points.map((_, i) => i),
  )
  let sum = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const part = area(points, triangles.subarray(i, i + 3))
    expect(part / whole).toBeGreaterThan(0)
    sum += part
  }
  expect(sum / whole).toBeCloseTo(1, 9)
}

describe('a face is covered once, without folding over', () => {
  const arrow = [
    [0, 0],
    [2, 1],
    [0, 2],
    [1, 1],
  ]
  test.each([0, 1, 2, 3])('an arrowhead that begins at corner %i', (first) => {
    expectCovered([...arrow.slice(first), ...arrow.slice(0, first)])
  })

  test('convex faces become fans from their first corner', () => {
    expect([
      ...cut([
        [0, 0],
        [2, 0],
        [3, 1],
        [2, 2],
        [0, 2],
      ]),
    ]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4])
  })

  test('a corner in the middle of an edge makes no empty triangle', () => {
    expectCovered([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ])
    expectCovered([
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 2],
    ])
  })

  test('a comb', () => {
    const teeth = Array.from({ length: 8 }, (_, i) => [
      [2 * i, 0.01 * i * i],
      [2 * i + 1, 5],
    ]).flat()
    expectCovered([...teeth, [16, 0.64], [16, -1], [0, -1]].reverse())
  })

  test('a face with a slit to its hole', () => {
    const points = [
      [0, 0],
      [6, 0],
      [6, 6],
      [0, 6],
      [0, 0],
      [2, 2],
      [2, 4],
      [4, 4],
      [4, 2],
      [2, 2],
    ]
    expectCovered(points)
  })

  const seed = 5
  test(`random star-shaped faces in both directions (seed ${seed})`, () => {
    const random = randomStream(seed)
    for (let i = 0; i < 200; i++) {
      const corners = 4 + random.below(30)
      const star = Array.from({ length: corners }, (_, k) => {
        const angle = (2 * Math.PI * k) / corners
        const radius = random.between(0.2, 2)
        return [radius * Math.cos(angle), radius * Math.sin(angle)]
      })
      expectCovered(star)
      expectCovered(star.reverse())
    }
  })
})

test('a face that crosses itself keeps all its corners', () => {
  expect(
    new Set(
      cut([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [1, 5],
      ]),
    ),
  ).toEqual(new Set([0, 1, 2, 3, 4]))
})

test('a huge convex face is cut and a huge concave one is refused, not waited for', () => {
  const circle = Array.from({ length: 5000 }, (_, i) => [Math.cos(i / 800), Math.sin(i / 800)])
  expect(cut(circle).length).toBe(3 * 4998)
  const gear = circle.map(([x, y], i) => (i % 2 ? [x, y] : [x / 2, y / 2]))
  expect(() => cut(gear)).toThrow(
    /^obj: face 1 is concave with 5000 corners, at most 1000 are cut; triangulate it first\.$/,
  )
})
