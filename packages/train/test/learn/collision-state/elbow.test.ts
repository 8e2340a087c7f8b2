import { describe, expect, it } from 'vitest'
import { findElbow } from '../../../src/learn/collision-state/elbow.js'

describe('the elbow of a curve', () => {
  it('is where the authors of kneedle find it: figure 2 of their paper', () => {
    const sizes = Array.from({ length: 10 }, (_, i) => i / 9)
    const values = sizes.map((x) => -1 / (x + 0.1) + 5)
    expect(sizes[findElbow(sizes, values)]).toBeCloseTo(2 / 9, 9)
  })

  it('is seen once the curve has gone on flat beyond it, not before', () => {
    const sizes = [2, 4, 6, 8, 10, 12]
    const values = [0.5, 0.8, 0.9, 0.91, 0.915, 0.917]
    const found = sizes.map((_, i) => findElbow(sizes.slice(0, i + 1), values.slice(0, i + 1)))
    expect(found.slice(0, 3)).toEqual([-1, -1, -1])
    expect(found.at(-1)).toBe(2)
  })

  it('is not there of a line, of a curve that rises ever more, or of one that stays', () => {
    const sizes = [1, 2, 3, 4, 5, 6]
    expect(findElbow(sizes, sizes)).toBe(-1)
    expect(
      findElbow(
        sizes,
        sizes.map((x) => x ** 3),
      ),
    ).toBe(-1)
    expect(
      findElbow(
        sizes,
        sizes.map(() => 0.9),
      ),
    ).toBe(-1)
  })
})
