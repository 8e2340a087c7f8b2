import { describe, expect, it } from 'vitest'
import { readClothView, writeClothView } from '../../../src/pages/cloth/cloth-parameters.js'
import type { ClothSettings } from '../../../src/pages/cloth/cloth-protocol.js'

const settings: ClothSettings = {
  clip: 'jumping jacks',
  speed: 1.25,
  garment: 'sleeves',
  collision: 'exact',
  wind: 3.5,
  windFrom: -1.571,
}

describe('settings in the address', () => {
  it('come back as they were written; otherwise a shared view would show something else', () => {
    expect(readClothView(writeClothView('humanoid.glb', settings))).toEqual({ character: 'humanoid.glb', settings })
  })

  it('leave out what is missing or no number', () => {
    expect(readClothView(new Map([['speed', 'fast']]))).toEqual({ settings: {} })
    expect(readClothView(writeClothView(undefined, settings)).character).toBeUndefined()
  })
})
