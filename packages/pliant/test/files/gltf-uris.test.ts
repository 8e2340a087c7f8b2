/** Where a `.gltf` may keep its numbers: in a file beside it, never elsewhere on the disk. */
import { expect, test } from 'vitest'
import { readGltf } from '../../src/files/gltf.js'
import { companionName } from '../../src/files/read-mesh.js'
import { text } from './samples.js'

const naming = (...uris: string[]) =>
  text(JSON.stringify({ asset: { version: '2.0' }, buffers: uris.map((uri) => ({ uri, byteLength: 4 })) }))

test.each([
  ['a.bin', 'a.bin'],
  ['./sub/a.bin', './sub/a.bin'],
  ['two%20words.bin', 'two words.bin'],
  ['..a/b..bin', '..a/b..bin'],
])('%s is a file in the folder', (uri, name) => {
  expect(companionName('models/x.gltf', naming(uri))).toBe(name)
})

test.each([
  '../secret',
  'sub/../../secret',
  '%2e%2e/secret',
  '%2E%2E%2Fsecret',
  'sub%2f..%2f..%2fsecret',
  '/etc/passwd',
  '%2Fetc/passwd',
  'file:///etc/passwd',
  'FILE:/etc/passwd',
  'https://example.org/a.bin',
  'C:/secret',
  'c%3Asecret',
  '..\\secret',
  'sub%5C..%5Csecret',
  '\\\\host\\share',
  'a%00.bin',
  'a%1b.bin',
])('%s is refused in one line', (uri) => {
  expect(() => companionName('x.gltf', naming(uri))).toThrow(
    /^gltf: the buffer '[^\n]+' lies outside the file's folder; put it there, or save as \.glb\.$/,
  )
})

test('a URI that is not encoded correctly is refused', () => {
  expect(() => companionName('x.gltf', naming('%zz.bin'))).toThrow(
    /^gltf: the buffer's URI '%zz.bin' is not correctly /,
  )
})

test('buffers in two files are refused instead of reading one file for both', () => {
  const bytes = naming('a.bin', 'b.bin')
  const refused = /^gltf: its buffers are in 2 files, one is read; save it as \.glb\.$/
  expect(() => companionName('x.gltf', bytes)).toThrow(refused)
  expect(() => readGltf(bytes, new Uint8Array(4))).toThrow(refused)
})
