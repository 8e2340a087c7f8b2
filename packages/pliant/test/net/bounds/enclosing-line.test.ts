import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { EnclosingLine } from '../../../src/net/bounds/enclosing-line.js'
import { scalarActivations } from '../../../src/net/scalar/activation.js'
import { ACTIVATIONS } from '../random-network.js'

const KINDS = [...ACTIVATIONS, 'linear'] as const

/** How far an activation leaves the strip, and how much of the strip's width it uses, over points of the interval. */
function held(line: EnclosingLine, value: (x: number) => number, low: number, high: number) {
  let [most, least, beyond] = [-Infinity, Infinity, 0]
  for (let i = 0; i <= 400; i++) {
    const x = low + ((high - low) * i) / 400
    const rest = value(x) - line.slope * x - line.shift
    most = Math.max(most, rest)
    least = Math.min(least, rest)
    beyond = Math.max(beyond, Math.abs(rest) - line.spread)
  }
  return { beyond, used: (most - least) / (2 * line.spread) }
}

describe('a line with a strip around it', () => {
  it.each(KINDS)('holds %s over intervals of all sizes, and no more (seed 3)', (kind) => {
    const random = randomStream(3, KINDS.indexOf(kind))
    const line = new EnclosingLine()
    const { value } = scalarActivations[kind]
    for (let n = 0; n < 600; n++) {
      const middle = random.normal() * (n % 3 === 0 ? 8 : 2)
      const half = 10 ** random.between(-7, 1.5)
      line.over(kind, middle - half, middle + half)
      const { beyond, used } = held(line, value, middle - half, middle + half)
      expect(beyond, `${middle} +- ${half}`).toBeLessThanOrEqual(0)
      // Where the curve is more than rounding, the strip touches it on both sides.
      if (line.spread > 1e-9 * (1 + Math.abs(middle))) expect(used, `${middle} +- ${half}`).toBeGreaterThan(0.97)
      line.level(kind, middle - half, middle + half)
      expect(line.slope).toBe(0)
      expect(held(line, value, middle - half, middle + half).beyond).toBeLessThanOrEqual(0)
    }
  })

  it('finds where silu is steepest, which chords that reach far meet three times', () => {
    const line = new EnclosingLine()
    for (const [low, high] of [
      [-2.3994, 2.3994],
      [-30, -0.5],
      [0.5, 40],
      [2.3993, 2.4],
      [-9, 1.2784],
    ]) {
      line.over('silu', low, high)
      expect(held(line, scalarActivations.silu.value, low, high).beyond, `${low} to ${high}`).toBeLessThanOrEqual(0)
    }
  })
})
