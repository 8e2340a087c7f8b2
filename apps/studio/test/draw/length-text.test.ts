import { describe, expect, it } from 'vitest'
import { lengthText, threeDigits, tickText, unitFor } from '../../src/draw/length-text.js'

describe('lengths as text', () => {
  it('take the unit with at most three digits before the point', () => {
    expect([0.00043, 0.058, 3].map((length) => unitFor(length).name)).toEqual(['\u00b5m', 'mm', 'm'])
  })

  it('have three digits and a true minus sign', () => {
    expect(lengthText(-0.01234, unitFor(0.06))).toBe('\u221212.3\u202fmm')
    expect(threeDigits(0.0847)).toBe('0.0847')
    expect(threeDigits(1712)).toBe('1712')
    expect(threeDigits(Number.NaN)).toBe('\u2013')
  })

  it('never show a negative zero', () => {
    expect(tickText(-0.0001, 0.1)).toBe('0.0')
    expect(tickText(-0.1, 0.1)).toBe('\u22120.1')
  })
})
