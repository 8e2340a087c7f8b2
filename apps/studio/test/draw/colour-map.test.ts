import { describe, expect, it } from 'vitest'
import { type ColourTable, colourIndex, DIVERGING, okLab, type Rgb, SEQUENTIAL } from '../../src/draw/colour-map.js'

const colour = (table: ColourTable, i: number): Rgb => [table[3 * i], table[3 * i + 1], table[3 * i + 2]]
const lightness = (table: ColourTable, i: number): number => okLab(colour(table, i))[0]

describe('colour maps', () => {
  it('grow brighter with the error, so that the map also reads in grey', () => {
    for (let i = 0; i < 255; i++) expect(lightness(SEQUENTIAL, i + 1)).toBeGreaterThan(lightness(SEQUENTIAL, i) - 0.004)
    expect(lightness(SEQUENTIAL, 255) - lightness(SEQUENTIAL, 0)).toBeGreaterThan(0.6)
  })

  it('grow darker away from zero distance, to both sides about alike', () => {
    for (let i = 128; i < 255; i++) {
      expect(lightness(DIVERGING, i + 1)).toBeLessThan(lightness(DIVERGING, i) + 0.004)
      expect(lightness(DIVERGING, 254 - i)).toBeLessThan(lightness(DIVERGING, 255 - i) + 0.004)
      expect(Math.abs(lightness(DIVERGING, i) - lightness(DIVERGING, 255 - i))).toBeLessThan(0.12)
    }
  })

  it('keep inside and outside apart on the blue-yellow axis, which red-green blindness leaves', () => {
    for (let i = 150; i < 256; i++) {
      const outside = okLab(colour(DIVERGING, i))[2]
      const inside = okLab(colour(DIVERGING, 255 - i))[2]
      expect(inside - outside).toBeGreaterThan(0.03)
    }
  })

  it('draw values beyond the scale as its ends', () => {
    expect([-9, -1, 0, 1, 9].map((value) => colourIndex(value, -1, 1))).toEqual([0, 0, 128, 255, 255])
  })
})
