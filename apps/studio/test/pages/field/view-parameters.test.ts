import { describe, expect, it } from 'vitest'
import { readView, writeView } from '../../../src/pages/field/view-parameters.js'

describe('the view in the address', () => {
  it('survives being written and read', () => {
    const parameters = writeView('bar.safetensors', [0.25, -1, 0.12345678], { axis: 1, at: -0.03125 })
    expect(readView(parameters)).toEqual({ object: 'bar.safetensors', code: [0.25, -1, 0.1235], axis: 1, at: -0.0313 })
  })

  it('leaves out what it does not understand', () => {
    const broken = new Map([
      ['code', '1,x'],
      ['axis', 'w'],
      ['at', 'far'],
    ])
    expect(readView(broken)).toEqual({})
  })
})
