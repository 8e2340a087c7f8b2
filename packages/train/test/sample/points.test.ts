import { randomStream } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { expect, it } from 'vitest'
import { makeBar } from '../../src/presets/bar.js'
import { mixCounts, samplePoints } from '../../src/sample/points.js'

const bar = makeBar()
const mesh = { positions: bar.rest, triangles: bar.triangles }
const domain = { lower: [-0.7, -0.3, -0.3], upper: [0.7, 0.3, 0.3] } as const
const mix = { surface: 0.2, near: 0.6, uniform: 0.2 }

it('puts points on the surface, near it and anywhere, in that order (seed 9)', () => {
  const points = new Float32Array(3 * 5000)
  samplePoints(mesh, domain, mix, 0.01, 5000, randomStream(9), points)
  const distances = new Float64Array(5000)
  new ExactMeshField(mesh).query(points, 5000, distances)
  const on = distances.subarray(0, 1000)
  const near = distances.subarray(1000, 4000)
  const anywhere = distances.subarray(4000)
  expect(Math.max(...on.map(Math.abs))).toBeLessThan(1e-6)
  expect(Math.max(...near.map(Math.abs))).toBeLessThan(0.06)
  // A deviate of 0.01 along each axis is one of 0.01 across the surface.
  const spread = Math.sqrt(near.reduce((sum, d) => sum + d * d, 0) / near.length)
  expect(spread).toBeGreaterThan(0.008)
  expect(spread).toBeLessThan(0.011)
  expect(Math.max(...anywhere)).toBeGreaterThan(0.15)
  for (let i = 0; i < 15_000; i++) {
    expect(points[i]).toBeGreaterThanOrEqual(domain.lower[i % 3] - 1e-6)
    expect(points[i]).toBeLessThanOrEqual(domain.upper[i % 3] + 1e-6)
  }
})

it('keeps near points in the domain, where labels mean something (seed 9)', () => {
  const points = new Float32Array(3 * 2000)
  // A deviate as large as the room around the bar: many would leave it.
  samplePoints(mesh, domain, { surface: 0, near: 1, uniform: 0 }, 0.3, 2000, randomStream(9), points)
  let atEdge = 0
  for (let i = 0; i < points.length; i++) {
    const [lower, upper] = [domain.lower[i % 3], domain.upper[i % 3]].map(Math.fround)
    expect(points[i]).toBeGreaterThanOrEqual(lower)
    expect(points[i]).toBeLessThanOrEqual(upper)
    if (points[i] === lower || points[i] === upper) atEdge++
  }
  expect(atEdge).toBeGreaterThan(200)
})

it('splits any count without losing one', () => {
  for (const count of [1, 2, 3, 7, 100, 1001]) {
    const { surface, near, uniform } = mixCounts({ surface: 0.5, near: 0.5, uniform: 0 }, count)
    expect(surface + near + uniform).toBe(count)
    expect(Math.min(surface, near, uniform)).toBeGreaterThanOrEqual(0)
  }
})
