import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import { RISK_SEEKING, seekBoundary } from '../../../src/learn/collision-state/risk-seeking.js'

const box = { lower: [-1, -1], upper: [1, 1] }

/** logit = steepness (|z|^2 - radius^2). */
const disc = (radius: number, steepness: number) => ({
  asked: 0,
  async gradientsAt(_: unknown, codes: Float32Array) {
    this.asked++
    const values = Float32Array.from({ length: codes.length / 2 }, (__, i) =>
      Math.fround(steepness * (codes[2 * i] ** 2 + codes[2 * i + 1] ** 2 - radius ** 2)),
    )
    return { values, gradients: codes.map((value) => 2 * steepness * value) }
  },
})

const drawn = (seed: number): Float32Array => {
  const random = randomStream(seed)
  return Float32Array.from({ length: 400 }, () => random.between(-1, 1))
}

describe('seeking the boundary', () => {
  it('brings codes onto it, from inside and outside, seed 3', async () => {
    const codes = drawn(3)
    const away = await seekBoundary(disc(0.6, 6), new Map(), codes, box)
    for (let i = 0; i < 200; i++) {
      expect(Math.hypot(codes[2 * i], codes[2 * i + 1])).toBeCloseTo(0.6, 3)
      expect(away[i]).toBeLessThan(1e-3)
    }
  })

  it('never leaves the box, and never ends further away than it began, seed 4', async () => {
    // All of the box is inside: the boundary cannot be reached.
    const [codes, before] = [drawn(4), drawn(4)]
    const network = disc(3, 1)
    const away = await seekBoundary(network, new Map(), codes, box)
    for (const value of codes) expect(Math.abs(value)).toBeLessThanOrEqual(1)
    const { values } = await network.gradientsAt(undefined, before)
    away.forEach((distance, i) => {
      expect(distance).toBeLessThanOrEqual(Math.abs(1 / (1 + Math.exp(-values[i])) - 0.5) + 1e-6)
    })
    // Corners are as near as it gets.
    for (const value of codes) expect(Math.abs(value)).toBeGreaterThan(0.99)
    expect(network.asked).toBeLessThan(RISK_SEEKING.steps)
  })

  it('halves steps that lead too far: |m - 1/2| falls even where the sigmoid is steep, seed 5', async () => {
    const codes = drawn(5)
    const away = await seekBoundary(disc(0.6, 40), new Map(), codes, box)
    const reached = away.filter((distance) => distance < 0.1).length
    expect(reached).toBeGreaterThan(100)
  })
})
