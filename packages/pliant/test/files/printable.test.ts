/** What a name in a file must not do to a terminal. */
import { expect, test } from 'vitest'
import { FileError } from '../../src/files/file-error.js'
import { printable, printableJson, printableLines } from '../../src/files/printable.js'

const code = String.fromCodePoint
const HOSTILE: [string, string][] = [
  ['an escape sequence', `${code(27)}[2J`],
  ['the C1 form of it', `${code(0x9b)}2J`],
  ['a window title', `${code(27)}]0;owned${code(7)}`],
  ['a line end', '\n'],
  ['a carriage return', '\r'],
  ['a backspace', '\b'],
  ['delete', code(0x7f)],
  ['an override of direction', code(0x202e)],
  ['an isolate', code(0x2066)],
  ['a mark of direction', code(0x200f)],
  ['a line separator', code(0x2028)],
  ['an invisible tag', code(0xe0041)],
]

test.each(HOSTILE)('%s does not get through', (_, mark) => {
  const shown = printable(`arm${mark}left`)
  expect(shown).toMatch(/^arm\?[\x20-\x7e]*left$/)
  expect(new FileError('gltf', `arm${mark}left`).message).toBe(`gltf: ${shown}`)
  const json = printableJson(JSON.stringify({ name: `arm${mark}left` }))
  expect(JSON.parse(json)).toEqual({ name: `arm${mark}left` })
  if (mark.codePointAt(0)! < 0x10000) expect(printable(json)).toBe(json)
})

test('letters of all writings pass, and lines and tabs where they lay out a text', () => {
  for (const name of ['Hüfte', '左手', 'рука', 'يد', '👩‍🚀']) expect(printable(name)).toBe(name)
  expect(printableLines('a\tb\nc\rd')).toBe('a\tb\nc?d')
})
