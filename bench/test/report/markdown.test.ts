import { expect, it } from 'vitest'
import { meanText, percent, rightShare, round, whole } from '../../src/report/markdown.js'

it('numbers keep their significant digits and have thousands apart', () => {
  expect([round(1234.5), round(0.04567, 2), round(0), whole(12_345.4)]).toEqual(['1,230', '0.046', '0', '12,345'])
  expect([percent(0.5), percent(1, 4)]).toEqual(['0.5%', '25%'])
})

it('a share of right answers is never rounded up to all of them', () => {
  expect([99.999, 100, 99.96, 99.5, 7].map(rightShare)).toEqual(['99.99%', '100%', '99.96%', '99.5%', '7%'])
})

it('a mean has its interval where there is one', () => {
  expect(meanText({ mean: 2, low: 1, high: 3 })).toBe('2% (1% to 3%)')
  expect(meanText({ mean: 2 }, 4)).toBe('50%')
})
