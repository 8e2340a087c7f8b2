import { describe, expect, it } from 'vitest'
import { isoLines } from '../../src/draw/iso-lines.js'

const sample = (width: number, height: number, f: (x: number, y: number) => number): Float64Array =>
  Float64Array.from({ length: width * height }, (_, i) => f(i % width, Math.floor(i / width)))

/** How many segments end at each point. */
function endings(segments: number[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; i < segments.length; i += 2) {
    const key = `${segments[i].toFixed(6)} ${segments[i + 1].toFixed(6)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

describe('iso-lines', () => {
  const circle = sample(41, 31, (x, y) => Math.hypot(x - 20, y - 15))

  it('follow a circle at its radius', () => {
    const segments = isoLines(circle, 41, 31, 9.3)
    expect(segments.length).toBeGreaterThan(100)
    for (let i = 0; i < segments.length; i += 2) {
      expect(Math.hypot(segments[i] - 20, segments[i + 1] - 15)).toBeCloseTo(9.3, 1)
    }
  })

  it('close: every end meets exactly one other', () => {
    for (const level of [3.7, 9.3, 14.2]) {
      expect([...endings(isoLines(circle, 41, 31, level)).values()].every((count) => count === 2)).toBe(true)
    }
  })

  it('of a plane are straight and exact between nodes', () => {
    const segments = isoLines(
      sample(5, 4, (x) => x),
      5,
      4,
      1.25,
    )
    expect(segments.filter((_, i) => i % 2 === 0)).toEqual(Array(6).fill(1.25))
  })

  it('at a saddle go the way the mean says, and do not cross', () => {
    // High corners (0,0) and (1,1): joined when the mean is above the level, apart when below.
    const joined = isoLines([3, -1, -1, 3], 2, 2, 0)
    const apart = isoLines([1, -3, -3, 1], 2, 2, 0)
    const middleIs = (segments: number[]): number[] =>
      [0, 4].map((s) => (segments[s] + segments[s + 2]) / 2 - (segments[s + 1] + segments[s + 3]) / 2)
    // Segments around the low corners lie off the diagonal x = y; those around the high ones across it.
    expect(middleIs(joined).every((offset) => Math.abs(offset) > 0.4)).toBe(true)
    expect(middleIs(apart).every((offset) => Math.abs(offset) < 1e-9)).toBe(true)
  })

  it('leave out cells without a value', () => {
    const holed = Float64Array.from(circle)
    holed[15 * 41 + 29] = Number.NaN
    const whole = isoLines(circle, 41, 31, 9.3).length
    const rest = isoLines(holed, 41, 31, 9.3)
    expect(rest.length).toBeLessThan(whole)
    expect(rest.every(Number.isFinite)).toBe(true)
  })
})

describe('lines whose crossings are known', () => {
  it('go where they are told, in whichever direction a side is asked', () => {
    // Left column above, right column below: the line crosses both rows at a quarter of the way.
    const crossing = (from: number, to: number): number => (from < to ? 0.25 : 0.75)
    const segments = isoLines([1, -1, 1, -1], 2, 2, 0, crossing)
    const ends = [segments.slice(0, 2), segments.slice(2)].sort((a, b) => a[1] - b[1])
    expect(ends).toEqual([
      [0.25, 0],
      [0.25, 1],
    ])
  })
})
