import { describe, expect, it } from 'vitest'
import { figuresText } from '../../src/text/figures.js'

describe('figures as text', () => {
  it('keeps whole numbers whole and rounds the others to four digits', () => {
    expect(figuresText({ points: 16384, ratio: 1.234567 })).toBe('points  16384\nratio   1.235')
  })

  it('makes a table of a list of records, nested fields as columns', () => {
    const text = figuresText({
      rows: [
        { name: 'a', time: { median: 1.5 } },
        { name: 'bb', time: { median: 10 } },
      ],
    })
    expect(text).toBe(
      ['rows', 'name  time.median', '----  -----------', 'a             1.5', 'bb             10'].join('\n'),
    )
  })

  it('leaves nothing out: lists of numbers, empty values, deeper records', () => {
    expect(figuresText({ a: { b: { list: [1, 2], none: null } } })).toBe('a.b\nlist  1, 2\nnone  -')
  })
})
