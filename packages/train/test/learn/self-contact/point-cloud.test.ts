import { randomStream } from 'pliant'
import { describe, expect, test } from 'vitest'
import { PointCloud } from '../../../src/learn/self-contact/point-cloud.js'

describe('the nearest of many points', () => {
  test.each([
    [1, 40],
    [2, 1],
    [3, 700],
    [7, 3000],
  ])('in %i dimensions of %i points (seed 3) is the one that looking at all finds', (size, count) => {
    const random = randomStream(3)
    const points = Float32Array.from({ length: size * count }, () => random.between(-1, 1))
    // Two at the same place, and many in a plane.
    points.copyWithin(0, points.length - size)
    for (let i = 0; i < points.length / 2; i += size) points[i] = 0.25
    const cloud = new PointCloud(points, size)
    for (let i = 0; i < 200; i++) {
      const code = Float32Array.from({ length: size }, () => random.between(-1.5, 1.5))
      const distance = nearestOfAll(points, size, code)
      expect(cloud.distance(code)).toBeCloseTo(distance, 6)
      const found = cloud.nearest(code)
      expect(distanceTo(points, size, found, code)).toBeCloseTo(distance, 6)
      expect(found >= 0 && found < count).toBe(true)
    }
  })

  test('is none of none', () => {
    const cloud = new PointCloud(new Float32Array(0), 3)
    expect(cloud.nearest(new Float32Array(3))).toBe(-1)
    expect(cloud.distance(new Float32Array(3))).toBe(Infinity)
  })

  test('reads a code from where it is told', () => {
    const cloud = new PointCloud(Float32Array.of(0, 0, 5, 5), 2)
    expect(cloud.nearest(Float32Array.of(0, 0, 4, 4), 2)).toBe(1)
  })
})

function nearestOfAll(points: Float32Array, size: number, code: Float32Array): number {
  let least = Infinity
  for (let i = 0; i < points.length / size; i++) {
    const distance = distanceTo(points, size, i, code)
    least = Math.min(least, distance)
  }
  return least
}

function distanceTo(points: Float32Array, size: number, i: number, code: Float32Array): number {
  return Math.hypot(...code.map((value, k) => value - points[i * size + k]))
}
