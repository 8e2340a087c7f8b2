/** Open dimensions: if their one spelling breaks, equal shapes look different and graphs do not compile. */
import { describe, expect, it } from 'vitest'
import { divideDimensions, multiplyDimensions, parseDimension, shapeSize } from '../../src/graph/dimension.js'

describe('dimension', () => {
  it('writes equal products alike', () => {
    expect(parseDimension('n*8')).toBe('8*n')
    expect(parseDimension('2 * poses * 4')).toBe('8*poses')
    expect(parseDimension('b*a')).toBe('a*b')
    expect(multiplyDimensions('n/16', 16)).toBe('n')
    expect(multiplyDimensions('n/16', 4)).toBe('n/4')
    expect(divideDimensions('8*n', 'n')).toBe(8)
    expect(divideDimensions('n', 'n')).toBe(1)
    expect(divideDimensions('n', 3)).toBe('n/3')
    expect(divideDimensions(6, 'n')).toBe('6/n')
    expect(multiplyDimensions('n', 0)).toBe(0)
    expect(shapeSize(['n', 3, 'm', 'n'])).toBe('3*m*n*n')
  })

  it('refuses what is no count', () => {
    expect(() => parseDimension(1.5)).toThrow(/1.5/)
    expect(() => parseDimension('n+1')).toThrow(/'n\+1'/)
    expect(() => divideDimensions(7, 2)).toThrow(/7 is not a multiple of 2/)
  })
})
