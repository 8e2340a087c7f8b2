import { expect, test } from 'vitest'
import { readPly, writePly } from '../../src/files/ply.js'
import { BytesBuilder, boxMesh, plyBinary, plyText, text } from './samples.js'

const box = boxMesh()

test('text, both byte orders, any order and type of properties, foreign elements: the same mesh', () => {
  expect(readPly(plyText(box))).toEqual(box)
  expect(readPly(plyBinary(box, true))).toEqual(box)
  expect(readPly(plyBinary(box, false))).toEqual(box)
})

test('a header with CRLF does not shift the binary data', () => {
  const bytes = plyBinary(box, true)
  const end = new TextDecoder('latin1').decode(bytes).indexOf('end_header\n') + 'end_header\n'.length
  const header = new TextDecoder('latin1').decode(bytes.subarray(0, end)).replaceAll('\n', '\r\n')
  expect(readPly(Uint8Array.of(...text(header), ...bytes.subarray(end)))).toEqual(box)
})

test('binary data that begin with a line feed byte are not eaten', () => {
  const builder = new BytesBuilder().text(
    'ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar first\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar uchar vertex_indices\nend_header\n',
  )
  for (const point of [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ])
    builder.uint8(10).float32(...point)
  expect([...readPly(builder.uint8(3, 0, 1, 2).bytes()).triangles]).toEqual([0, 1, 2])
})

test('strips of triangles, with a restart and a turn', () => {
  const content =
    'ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2 0\n8 0 1 2 3 -1 2 3 4\n'
  expect([...readPly(text(content)).triangles]).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4])
})

test('elements without properties take no bytes and no time, however many', () => {
  const content = new TextDecoder()
    .decode(plyText(box))
    .replace('element vertex', 'element nothing 999999999999\nelement vertex')
  expect(readPly(text(content))).toEqual(box)
})

test.each([
  [
    ['element vertex 8', 'element vertex 1000000000'],
    /^ply: 1000000000 'vertex' elements declared but \d+ bytes follow; /,
  ],
  [['element vertex 8', 'element vertex -8'], /^ply: element 'vertex' has the count '-8'; /],
  [['property float x', 'property float u'], /^ply: the vertex element needs one property 'x'; /],
  [['vertex_index', 'corners'], /^ply: element 'face' has no list 'vertex_indices'; /],
  [['format ascii', 'format utf8'], /^ply: the format is 'utf8'; /],
  [['property float y', 'property quad y'], /^ply: property 'quad y' has no known type and name; /],
  [['3 0 1 2', '3 0 1 8'], /^ply: face 1 refers to vertex 8 of 8; /],
  [['end_header', 'header_end'], /^ply: header line \d+ begins with 'header_end'; /],
] as const)('%j is refused', ([from, to], message) => {
  const content = new TextDecoder().decode(plyText(box))
  expect(content).toContain(from)
  expect(() => readPly(text(content.replace(from, to)))).toThrow(message)
})

test('written single if that loses nothing, double if it would', () => {
  expect(readPly(writePly(box))).toEqual(box)
  const fine = { ...box, positions: box.positions.map((value) => value + 0.1) }
  expect(readPly(writePly(fine))).toEqual(fine)
  expect(writePly(fine).length).toBeGreaterThan(writePly(box).length)
})
