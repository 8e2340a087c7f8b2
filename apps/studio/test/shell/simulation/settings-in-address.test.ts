import { describe, expect, it } from 'vitest'
import { CLOTH_ADDRESS, type ClothSettings } from '../../../src/pages/cloth/cloth-protocol.js'
import { HAPTICS_ADDRESS } from '../../../src/pages/haptics/haptics-protocol.js'
import { readSettings, writeSettings } from '../../../src/shell/simulation/settings-in-address.js'

const cloth: ClothSettings = {
  clip: 'jumping jacks',
  speed: 1.25,
  garment: 'sleeves',
  collision: 'exact',
  wind: 3.5,
  windFrom: -1.571,
}

describe('settings in the address', () => {
  it('come back as they were written; otherwise a shared view would show something else', () => {
    const written = writeSettings(CLOTH_ADDRESS, 'humanoid.glb', cloth)
    expect(readSettings(CLOTH_ADDRESS, written)).toEqual({ object: 'humanoid.glb', settings: cloth })
    const haptics = { field: 'exact', stiffness: 1.25, friction: 0.25 } as const
    const other = writeSettings(HAPTICS_ADDRESS, 'bunny.safetensors', haptics)
    expect(other.get('body')).toBe('bunny.safetensors')
    expect(readSettings(HAPTICS_ADDRESS, other)).toEqual({ object: 'bunny.safetensors', settings: haptics })
  })

  it('leave out what is missing or no number', () => {
    expect(readSettings(CLOTH_ADDRESS, new Map([['speed', 'fast']]))).toEqual({ settings: {} })
    expect(readSettings(CLOTH_ADDRESS, writeSettings(CLOTH_ADDRESS, undefined, cloth)).object).toBeUndefined()
  })
})
