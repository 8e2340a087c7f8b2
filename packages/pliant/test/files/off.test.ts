import { expect, test } from 'vitest'
import { readOff, writeOff } from '../../src/files/off.js'
import { boxMesh, text } from './samples.js'

const TRIANGLE = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) }

test.each([
  'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n',
  'OFF 3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2',
  '3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2',
  '# a\nOFF # b\n\n3 1 0 # c\n0 0 0\n# d\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n',
  'COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0.5 0.5 0.5 1\n0 1 0 1 2 3 4\n3 0 1 2 0.1 0.2 0.3\n',
  'NOFF\n3 1 3\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n',
  'STCNOFF\n3 1 3\n0 0 0 0 0 1 9 9 9 9 0 0\n1 0 0 0 0 1 9 9 9 9 0 0\n0 1 0 0 0 1 9 9 9 9 0 0\n3 0 1 2\n',
  'OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n1 0\n2 0 1\n3 0 1 2\n',
])('%j', (content) => {
  expect(readOff(text(content))).toEqual(TRIANGLE)
})

test.each([
  ['4OFF\n3 1 0\n', /^off: 4OFF has coordinates that are not xyz; /],
  ['OFF BINARY\n\0\0', /^off: this is the binary form of OFF, which is not read; /],
  ['OFF\n1000000000 1 0\n0 0 0\n', /^off: 1000000000 vertices declared but \d+ bytes follow; /],
  ['OFF\n3\n0 0 0\n1 0 0\n0 1 0\n', /^off: the second line gives one count; /],
  ['OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n', /^off: face 1 refers to vertex 3 of 3; /],
  ['OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n', /^off: face 1 refers to vertex -1; /],
  ['OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n900 0 1 2\n', /^off: 900 corners of face 1 of 1 declared but \d+ bytes follow; /],
])('%j is refused', (content, message) => {
  expect(() => readOff(text(content))).toThrow(message)
})

test('what is written is read back bit for bit', () => {
  const mesh = boxMesh()
  for (let i = 0; i < mesh.positions.length; i++) mesh.positions[i] += Math.sqrt(i) * 1e-9
  expect(readOff(writeOff(mesh))).toEqual(mesh)
})
