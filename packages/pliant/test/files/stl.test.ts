import { expect, test } from 'vitest'
import { readStl, writeStl } from '../../src/files/stl.js'
import { boxMesh, stlText, text } from './samples.js'

const box = boxMesh()

test('text and binary give one welded surface', () => {
  expect(readStl(stlText(box))).toEqual(box)
  expect(readStl(writeStl(box))).toEqual(box)
})

test('a binary file whose header begins as text does is read as binary', () => {
  const bytes = writeStl(box)
  bytes.set(text('solid with a facet and endsolid in its name'))
  expect(readStl(bytes)).toEqual(box)
})

test('a binary file with bytes behind its triangles is read', () => {
  expect(readStl(Uint8Array.of(...writeStl(box), 0, 0, 0))).toEqual(box)
})

test('capitals, CRLF and several solids in one text file', () => {
  const content = new TextDecoder().decode(stlText(box)).replaceAll('\n', '\r\n')
  const twice = readStl(text(content.toUpperCase().replaceAll('NAN', 'nan') + content))
  expect(twice.positions).toEqual(box.positions)
  expect(twice.triangles.length).toBe(2 * box.triangles.length)
})

test('0 and -0 are one place', () => {
  const facet = (z: string) =>
    `facet normal 0 0 1\nouter loop\nvertex 0 0 ${z}\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n`
  expect(readStl(text(`solid\n${facet('0')}${facet('-0')}endsolid\n`)).positions.length).toBe(9)
})

test('cut files are refused', () => {
  const content = new TextDecoder().decode(stlText(box))
  expect(() => readStl(text(content.slice(0, -12)))).toThrow(/^stl: the file ends before 'endsolid'; /)
  expect(() => readStl(writeStl(box).slice(0, -1))).toThrow(/^stl: 12 triangles declared but 599 bytes follow; /)
})

test('coordinates beyond single precision are refused when writing', () => {
  const far = { ...box, positions: box.positions.map((value) => value * 1e300) }
  expect(() => writeStl(far)).toThrow(
    /^stl: triangle 1 has the coordinate 1e\+300, beyond single precision; write PLY\.$/,
  )
})
