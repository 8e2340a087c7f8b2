import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodePng } from '../../src/pages/png.js'

test('a PNG holds its pixels row by row; otherwise pictures on pages would be garbled', () => {
  const rgb = Uint8Array.from({ length: 3 * 5 * 4 }, (_, i) => (37 * i) % 256)
  const png = encodePng(5, 4, rgb)
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([5, 4])
  const start = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)))
  for (let y = 0; y < 4; y++) {
    expect(rows[16 * y]).toBe(0)
    expect([...rows.subarray(16 * y + 1, 16 * y + 16)]).toEqual([...rgb.subarray(15 * y, 15 * y + 15)])
  }
})

test('a wrong number of bytes is refused', () => {
  expect(() => encodePng(2, 2, new Uint8Array(11))).toThrow('png: 11 bytes for 2 x 2 pixels; pass 12.')
})
