import { describe, expect, it } from 'vitest'
import { halfBits, halfValue } from '../../src/math/half.js'
import { randomStream } from '../../src/math/random.js'

describe('16-bit floats', () => {
  it('all come back as they were, but for the many bits of not-a-number', () => {
    for (let half = 0; half < 65_536; half++) {
      const value = halfValue(half)
      if (Number.isNaN(value)) expect(Number.isNaN(halfValue(halfBits(value))), `${half}`).toBe(true)
      else expect(halfBits(value), `${half}`).toBe(half)
    }
  })

  it('are those of IEEE 754', () => {
    const known: [number, number][] = [
      [0x3c00, 1],
      [0xc000, -2],
      [0x7bff, 65_504],
      [0x0400, 2 ** -14],
      [0x0001, 2 ** -24],
      [0x3555, 0.333251953125],
      [0x7c00, Infinity],
    ]
    for (const [half, value] of known) expect(halfValue(half)).toBe(value)
  })

  it('are the nearest, ties to even (seed 6)', () => {
    const random = randomStream(6)
    for (let n = 0; n < 20_000; n++) {
      const value = Math.fround(random.normal() * 2 ** random.between(-26, 14))
      const half = halfBits(value)
      const error = Math.abs(halfValue(half) - value)
      for (const other of [half - 1, half + 1]) {
        const otherError = Math.abs(halfValue(other & 0xffff) - value)
        if (otherError <= error) expect([half % 2, otherError], `${value}`).toEqual([0, error])
      }
    }
    // Random numbers are hardly ever ties: halfway between two halves the even one is taken, up or down.
    for (let half = 0x0400; half < 0x7bff; half += 7) {
      const tie = (halfValue(half) + halfValue(half + 1)) / 2
      expect(halfBits(tie), `${half}`).toBe(half + (half % 2))
    }
    expect(halfBits(65_519)).toBe(0x7bff)
    expect(halfBits(65_520)).toBe(0x7c00)
    expect(halfBits(2 ** -25)).toBe(0)
    expect(halfBits(1.5 * 2 ** -24)).toBe(2)
  })
})
