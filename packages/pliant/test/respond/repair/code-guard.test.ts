/** Live codes kept off two discs, where the nearest free one is known. */
import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { CodeGuard } from '../../../src/respond/repair/code-guard.js'
import { discs } from './discs.js'

const kept = (guard: CodeGuard, x: number, y: number): number[] => {
  const out = new Float64Array(2)
  guard.keep([x, y], out)
  return [...out]
}

describe('a guarded code', () => {
  it('is the nearest one that keeps the margin (seed 3)', () => {
    const random = randomStream(3)
    for (let i = 0; i < 50; i++) {
      const angle = random.between(-3, 3)
      const length = random.between(0.5, 1.2)
      const [x, y] = [length * Math.cos(angle), length * Math.sin(angle)]
      const found = kept(new CodeGuard(discs(), { margin: 0.05, rounds: 8 }), x, y)
      const due = Math.max(1.05, length)
      expect(found[0]).toBeCloseTo(due * Math.cos(angle), 3)
      expect(found[1]).toBeCloseTo(due * Math.sin(angle), 3)
    }
  })

  it('is what was asked for where that is free, to the last bit', () => {
    const guard = new CodeGuard(discs())
    expect(kept(guard, 1.7, 0.3)).toEqual([1.7, 0.3])
    kept(guard, 0.9, 0.3)
    // And again once contact is over.
    for (let i = 0; i < 3; i++) kept(guard, 1.7, 0.3)
    expect(kept(guard, 1.7, 0.3)).toEqual([1.7, 0.3])
  })

  it('goes smoothly while what is asked for goes smoothly, through the contact and out of it', () => {
    const guard = new CodeGuard(discs(), { margin: 0.02 })
    const way = Array.from({ length: 200 }, (_, i) => kept(guard, -2 + i / 50, 0.4))
    for (let i = 1; i < way.length; i++) {
      // A step of 0.02 asks for at most so much along the disc.
      expect(Math.hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1])).toBeLessThan(0.08)
      expect(Math.hypot(...way[i])).toBeGreaterThan(1.018)
    }
  })

  it('weighs entries: what weighs more moves less', () => {
    const [x, y] = kept(new CodeGuard(discs(), { weights: [100, 1], rounds: 20 }), 0.6, 0.6)
    expect(Math.abs(x - 0.6)).toBeLessThan(0.05)
    expect(y).toBeGreaterThan(0.75)
  })

  it('tells where no way was found', () => {
    // A gradient without a direction.
    const stuck = {
      ...discs(),
      pullBackClearances: (_: ArrayLike<number>, out: Float64Array | Float32Array) => out.fill(0),
    }
    const out = new Float64Array(2)
    expect(new CodeGuard(stuck, { rounds: 3 }).keep([0.5, 0], out)).toBeCloseTo(-0.5, 12)
    expect([...out]).toEqual([0.5, 0])
  })

  it('refuses codes that are not finite, and options that are none', () => {
    const guard = new CodeGuard(discs())
    expect(() => guard.keep([Number.NaN, 0], new Float64Array(2))).toThrow(/code guard: code value 0 is NaN/)
    expect(() => new CodeGuard(discs(), { margin: -1 })).toThrow(/code guard: margin is -1/)
    expect(() => new CodeGuard(discs(), { weights: [1] })).toThrow(/code guard/)
  })
})
