import { describe, expect, it } from 'vitest'
import { narrowest, packBytes, packShares, unpackBytes, unpackShares } from '../../src/artifact/compact.js'
import { randomStream } from '../../src/math/random.js'

describe('whole numbers', () => {
  it('take the narrowest type that holds every number below the limit', () => {
    expect(narrowest([0, 255], 256)).toBeInstanceOf(Uint8Array)
    expect(narrowest([0, 256], 257)).toBeInstanceOf(Uint16Array)
    expect(narrowest([0, 65_535], 65_536)).toBeInstanceOf(Uint16Array)
    expect([...narrowest([0, 65_536], 65_537)]).toEqual([0, 65_536])
  })
})

describe('shares of a vertex (seed 3)', () => {
  const random = randomStream(3)
  const starts = Uint32Array.from({ length: 501 }, (_, v) => 4 * v)
  const shares = new Float32Array(2000)
  for (let v = 0; v < 500; v++) {
    const weights = Array.from({ length: 4 }, () => random.uniform() ** 8).sort((a, b) => b - a)
    const sum = weights.reduce((a, b) => a + b)
    shares.set(
      weights.map((weight) => weight / sum),
      4 * v,
    )
  }
  const packed = packShares(shares, starts)

  it('sum to one, none is lost, and each is off by a few 65,535ths at most', () => {
    for (let v = 0; v < 500; v++) {
      expect(packed.subarray(4 * v, 4 * v + 4).reduce((a, b) => a + b)).toBe(65_535)
    }
    expect(packed.every((share) => share > 0)).toBe(true)
    unpackShares(packed).forEach((share, i) => {
      expect(Math.abs(share - shares[i])).toBeLessThan(4 / 65_535)
    })
  })

  it('pack again to the same', () => {
    expect(packShares(unpackShares(packed), starts)).toEqual(packed)
  })
})

describe('values as bytes (seed 4)', () => {
  const random = randomStream(4)
  const scaleOf = (i: number): number => i % 3
  const values = Float32Array.from({ length: 3000 }, (_, i) => (i % 3 === 2 ? 0 : random.normal() * 10 ** (i % 3)))
  const { bytes, scales } = packBytes(values, 3, scaleOf)

  it('are off by half a scale at most, and their scale is that of the largest', () => {
    unpackBytes(bytes, scales, scaleOf).forEach((value, i) => {
      expect(Math.abs(value - values[i])).toBeLessThanOrEqual(0.5001 * scales[scaleOf(i)])
    })
    const largest = Math.max(...values.filter((_, i) => i % 3 === 1).map(Math.abs))
    expect(scales[1] / (largest / 127)).toBeCloseTo(1, 3)
    expect(scales[2]).toBe(0)
  })

  it('pack again to the same', () => {
    const again = packBytes(unpackBytes(bytes, scales, scaleOf), 3, scaleOf)
    expect(again.bytes).toEqual(bytes)
    expect(again.scales).toEqual(scales)
  })
})
