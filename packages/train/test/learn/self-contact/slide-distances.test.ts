/** Distances to f = 0 where they are known: a plane and a ball. */
import { randomStream } from 'pliant'
import type { GapShape } from 'pliant/unstable'
import { describe, expect, test } from 'vitest'
import { ContactNetwork } from '../../../src/learn/self-contact/contact-network.js'
import { graphOfGaps } from '../../../src/learn/self-contact/gap-sight.js'
import { PointCloud } from '../../../src/learn/self-contact/point-cloud.js'
import { slideDistances } from '../../../src/learn/self-contact/slide-distances.js'

const bounds = { lower: new Float64Array(3).fill(-1), upper: new Float64Array(3).fill(1) }

/** f = 3 (log(|q|^2 + e^2) - log(R^2 + e^2)): free outside of a ball, and no distance of itself. */
const RADIUS = 0.5
const ball: GapShape = { codeSize: 3, gaps: 1, hidden: [], activation: 'silu' }
const ofBall = new Map([
  ['gap.vector', Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)],
  ['gap.softening', Float32Array.of(0.1)],
  ['gap.scale', Float32Array.of(1)],
  ['gap.shift', Float32Array.of(-Math.log(RADIUS ** 2 + 0.01))],
  ['dense.0.weight', Float32Array.of(0, 0, 0, 3)],
  ['dense.0.bias', Float32Array.of(0)],
])

describe('distances along the learned boundary', () => {
  test('of a ball, from points all over it (seed 5), are those to the ball', async () => {
    const random = randomStream(5)
    const network = await ContactNetwork.create(graphOfGaps(ball), 1)
    const clouds = [0, 1].map(() => {
      const points = new Float32Array(3 * 30)
      for (let i = 0; i < points.length; i += 3) {
        const way = [random.normal(), random.normal(), random.normal()]
        for (let k = 0; k < 3; k++) points[i + k] = (RADIUS * way[k]) / Math.hypot(...way)
      }
      return { points, tree: new PointCloud(points, 3) }
    })
    const codes = Float32Array.from({ length: 600 }, () => random.between(-1, 1))
    const distances = await slideDistances(network, ofBall, bounds, clouds, codes)
    await network.dispose()
    let largest = 0
    for (let i = 0; i < 200; i++) {
      largest = Math.max(largest, Math.abs(distances[i] - (Math.hypot(...codes.subarray(3 * i, 3 * i + 3)) - RADIUS)))
    }
    expect(largest).toBeLessThan(2e-3)
  })

  test('never leave the box: a plane outside of it is as far as the points that are known', async () => {
    const plane: GapShape = { codeSize: 3, gaps: 0, hidden: [], activation: 'silu' }
    // f = 2 (x - 0.9 - y), touching where y > x - 0.9.
    const weights = new Map([
      ['dense.0.weight', Float32Array.of(2, -2, 0)],
      ['dense.0.bias', Float32Array.of(-1.8)],
    ])
    const network = await ContactNetwork.create(graphOfGaps(plane), 1)
    const points = Float32Array.of(1, 0.1, 0)
    const clouds = [{ points, tree: new PointCloud(points, 3) }]
    const distances = await slideDistances(network, weights, bounds, clouds, Float32Array.of(1, -1, 0, 0, 0, 0))
    await network.dispose()
    expect(distances[0]).toBeCloseTo(1.1 / Math.SQRT2, 3)
    expect(distances[1]).toBeCloseTo(-0.9 / Math.SQRT2, 3)
  })
})
