import { inflateSync } from 'node:zlib'
import { type Box, boxExpand, fieldSphere } from 'pliant'
import { expect, test } from 'vitest'
import { drawSlice, sliceField } from '../../src/pages/level-sets.js'
import { chooseView } from '../../src/pages/view.js'
import { drawZeroSet } from '../../src/pages/zero-set.js'

const sphere = fieldSphere([0, 0, 0], 0.5)
const box: Box = { lower: [-0.5, -0.5, -0.5], upper: [0.5, 0.5, 0.5] }
const view = chooseView(boxExpand(box, 0.2), 1)

test('a sphere covers its disc of the picture, and its error is drawn in red only where there is one', () => {
  const plain = decode(drawZeroSet(sphere, view, 1, { rows: 300, exact: sphere }))
  const [left, right] = [view.box.lower[view.across], view.box.upper[view.across]]
  const covered = plain.pixels.filter(([r]) => r < 255).length / plain.pixels.length
  const disc = (Math.PI * 0.25) / ((right - left) * (view.box.upper[1] - view.box.lower[1]))
  expect(covered).toBeCloseTo(disc, 2)
  expect(plain.pixels.every(([r, g]) => Math.abs(r - g) < 12)).toBe(true)
  const off = decode(drawZeroSet(sphere, view, 1, { rows: 300, exact: fieldSphere([0, 0, 0], 0.48) }))
  expect(off.pixels.filter(([r, g]) => r - g > 40).length).toBeGreaterThan(0.3 * disc * off.pixels.length)
})

test('a slice holds the distances on its plane and draws the zero set', () => {
  const slice = sliceField(sphere, view, 0.3, 120)
  const middle = slice.distances[(slice.rows >> 1) * slice.columns + (slice.columns >> 1)]
  expect(middle).toBeCloseTo(0.3 - 0.5, 2)
  const svg = drawSlice(slice, 1, { width: 240, label: 'sphere' })
  expect(svg).toContain('x [m]')
  expect(svg.match(/<path/g)!.length).toBeGreaterThan(8)
})

function decode(png: Buffer): { pixels: number[][] } {
  const width = png.readUInt32BE(16)
  const start = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)))
  const pixels: number[][] = []
  for (let at = 0; at < rows.length; at++) {
    if (at % (3 * width + 1) === 0) continue
    pixels.push([...rows.subarray(at, at + 3)])
    at += 2
  }
  return { pixels }
}
