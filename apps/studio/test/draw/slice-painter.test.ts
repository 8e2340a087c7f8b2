import { describe, expect, it } from 'vitest'
import { DIVERGING } from '../../src/draw/colour-map.js'
import { paintSegments, writePixels } from '../../src/draw/slice-painter.js'

const scale = { table: DIVERGING, lower: -1, upper: 1 }
const colourAt = (index: number): number[] => [...DIVERGING.subarray(3 * index, 3 * index + 3), 255]

describe('pixels of node values', () => {
  it('put the lowest row of nodes last', () => {
    const pixels = new Uint8ClampedArray(4 * 6)
    writePixels({ values: Float32Array.of(-1, -1, -1, 1, 1, 1), width: 3, height: 2 }, scale, pixels)
    expect([...pixels.subarray(0, 4)], 'the topmost row is the last of the nodes').toEqual(colourAt(255))
    expect([...pixels.subarray(12, 16)]).toEqual(colourAt(0))
  })

  it('leave out what is no number, and end at the ends of the table', () => {
    const pixels = new Uint8ClampedArray(4 * 3)
    writePixels({ values: Float32Array.of(Number.NaN, -9, 9), width: 3, height: 1 }, scale, pixels)
    expect([...pixels]).toEqual([0, 0, 0, 0, ...colourAt(0), ...colourAt(255)])
  })

  it('fade above zero only', () => {
    const pixels = new Uint8ClampedArray(4 * 3)
    const fading = { ...scale, fade: [0.2, 0.6] as const }
    writePixels({ values: Float32Array.of(-1, 0.5, 1), width: 3, height: 1 }, fading, pixels)
    expect([pixels[3], pixels[7], pixels[11]]).toEqual([255, 102, 153])
  })
})

describe('lines', () => {
  it('run upwards in a picture whose pixels run downwards', () => {
    const drawn: [string, number, number][] = []
    const context = {
      beginPath() {},
      stroke() {},
      moveTo: (x: number, y: number) => drawn.push(['move', x, y]),
      lineTo: (x: number, y: number) => drawn.push(['line', x, y]),
    } as unknown as CanvasRenderingContext2D
    const into = { x: 10, y: 20, width: 100, height: 50 }
    paintSegments(context, [0, 0, 4, 2], { width: 5, height: 3 }, { colour: 'red', width: 1 }, into)
    expect(drawn).toEqual([
      ['move', 10, 70],
      ['line', 110, 20],
    ])
  })
})
