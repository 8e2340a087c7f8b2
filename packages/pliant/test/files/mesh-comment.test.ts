/** Comments in mesh files: what they are made of must not change what is read. */
import { expect, test } from 'vitest'
import { readObj, writeObj } from '../../src/files/obj.js'
import { readPly, writePly } from '../../src/files/ply.js'
import { readStl, writeStl } from '../../src/files/stl.js'
import { boxMesh } from './samples.js'

const FORMATS = [
  ['obj', writeObj, readObj, '# shape 1 v 9 9 9 end_header'],
  ['ply', writePly, readPly, 'comment shape 1 v 9 9 9 end_header'],
  ['stl', writeStl, readStl, 'binary STL: shape 1 v 9 9 9 end_header'],
] as const

test.each(FORMATS)('%s has it on one line, and the same mesh', (_, write, read, line) => {
  const mesh = boxMesh()
  const bytes = write(mesh, ' shape 1\nv 9 9 9\r\nend_header\n')
  expect(new TextDecoder('latin1').decode(bytes).split(/[\n\0]/)).toContain(line)
  expect(read(bytes)).toEqual(mesh)
})

test('stl cuts a comment that its header has no room for', () => {
  const mesh = boxMesh()
  expect(readStl(writeStl(mesh, 'x'.repeat(5000)))).toEqual(mesh)
  expect(writeStl(mesh, 'x'.repeat(5000))).toHaveLength(writeStl(mesh).length)
})
