import { describe, expect, it } from 'vitest'
import { codeInMotion, randomCode } from '../../../src/pages/field/motion.js'

const range = { lower: [-1, 0, 2, -5, -1, -1, -1], upper: [1, 4, 3, 5, 1, 1, 1] }

describe('motion through the codes', () => {
  it('begins where the code is and has no jumps', () => {
    const start = [0.3, 1, 2.5, -4, 0, 0, 0]
    expect(codeInMotion(range, start, 0)).toEqual(start)
    for (let frame = 0; frame < 600; frame++) {
      const [before, after] = [codeInMotion(range, start, frame / 60), codeInMotion(range, start, (frame + 1) / 60)]
      after.forEach((value, k) => {
        expect(Math.abs(value - before[k])).toBeLessThan(0.04 * (range.upper[k] - range.lower[k]))
      })
    }
  })

  it('stays in the trained range once under way, and uses most of it', () => {
    const codes = Array.from({ length: 4000 }, (_, i) => codeInMotion(range, range.lower, 2 + i / 40))
    range.lower.forEach((lower, k) => {
      const share = codes.map((code) => (code[k] - lower) / (range.upper[k] - lower))
      expect(Math.min(...share)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...share)).toBeLessThanOrEqual(1)
      expect(Math.max(...share) - Math.min(...share)).toBeGreaterThan(0.8)
    })
  })

  it('draws random codes from the whole range', () => {
    expect(randomCode(range, () => 0)).toEqual(range.lower)
    expect(randomCode(range, () => 0.5)).toEqual([0, 2, 2.5, 0, 0, 0, 0])
  })
})
