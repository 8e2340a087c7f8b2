import { describe, expect, it } from 'vitest'
import { readHapticsView, writeHapticsView } from '../../../src/pages/haptics/haptics-parameters.js'

describe('settings in the address', () => {
  it('come back as they were written', () => {
    const settings = { field: 'exact', stiffness: 1.25, friction: 0.25 } as const
    const view = readHapticsView(writeHapticsView('bunny.safetensors', settings))
    expect(view).toEqual({ body: 'bunny.safetensors', path: false, settings })
  })

  it('are left out where they are missing or no numbers', () => {
    expect(readHapticsView(new Map([['stiffness', 'hard']]))).toEqual({ path: false, settings: {} })
  })

  it('may ask for the recorded path, and for no other', () => {
    expect(readHapticsView(new Map([['path', 'press']])).path).toBe(true)
    expect(readHapticsView(new Map([['path', 'dance']])).path).toBe(false)
  })
})
