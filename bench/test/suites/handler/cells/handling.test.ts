import { describe, expect, it } from 'vitest'
import { figuresOf, type Handled } from '../../../../src/suites/handler/cells/handling.js'

const one = (more: Partial<Handled>): Handled => ({ moved: 1, tests: 2, before: 4, after: 0, isFree: true, ...more })

describe('figures of handled codes', () => {
  it("tell the paper's success from freedom, and count way only where something was gained", () => {
    const all = [
      one({}),
      one({ after: 1, isFree: false, moved: 3, tests: 6 }),
      one({ after: 6, isFree: false, moved: 100 }),
      one({ after: 4, isFree: false, moved: 0 }),
    ]
    expect(figuresOf(all, 20)).toEqual({
      ...{ decreased: 0.5, freed: 0.25, reduction: (1 + 0.75 - 0.5) / 4, moved: 2, milliseconds: 5, tests: 3 },
      points: [
        [1, 1],
        [3, 0.75],
        [100, -0.5],
        [0, 0],
      ],
    })
  })

  it('take surfaces that only touch for gone once they are free', () => {
    expect(figuresOf([one({ before: 0 }), one({ before: 0, isFree: false })], 0)).toMatchObject({
      ...{ decreased: 0.5, freed: 0.5, reduction: 0.5 },
    })
  })

  it('are zero of no codes', () => {
    expect(figuresOf([], 0)).toMatchObject({ decreased: 0, freed: 0, reduction: 0, moved: 0, milliseconds: 0 })
  })
})
