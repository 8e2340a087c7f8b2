import { describe, expect, it } from 'vitest'
import { readRoute, writeRoute } from '../../src/shell/route.js'

describe('routes', () => {
  it('survive being written and read, with commas left readable', () => {
    const route = {
      page: 'field',
      parameters: new Map([
        ['code', '0.5,-1'],
        ['object', 'a b&c.safetensors'],
      ]),
    }
    const hash = writeRoute(route)
    expect(hash).toContain('code=0.5,-1')
    expect(readRoute(hash)).toEqual(route)
  })

  it('take an empty address as no page', () => {
    expect(readRoute('')).toEqual({ page: '', parameters: new Map() })
    expect(writeRoute({ page: 'field', parameters: new Map() })).toBe('#/field')
  })
})
