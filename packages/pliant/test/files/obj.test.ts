import { describe, expect, test } from 'vitest'
import { readObj, writeObj } from '../../src/files/obj.js'
import { randomStream } from '../../src/math/random.js'
import { boxMesh, text } from './samples.js'

const POINTS = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n'

test('all forms of corners give the same triangles', () => {
  for (const face of [
    '1 2 3 4',
    '1/1 2/2 3/1 4/2',
    '1//9 2//9 3//9 4//9',
    '1/1/1 2/1/1 3/1/1 4/1/1',
    '-4 -3 -2 -1',
    '-4//-1 2 3/4 -1',
  ]) {
    expect([...readObj(text(`${POINTS}f ${face}\n`)).triangles], face).toEqual([0, 1, 2, 0, 2, 3])
  }
})

test('negative indices count back from where they stand, not from the end', () => {
  const mesh = readObj(text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -3 -1'))
  expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 1, 3])
})

test('what is not a vertex or face is passed over', () => {
  const content = `# comment\r\nmtllib a.mtl\r\no thing\r\n\tv 0 0 0 0.5 0.5 0.5\r\nvn 1 0 0\r\nvt 0 0\r\nv 1 0 \\\r\n 0 1.0\r\nv 0 1 0 # last\r\ng f v\r\nusemtl x\r\ns off\r\nl 1 2\r\np 1\r\nf 1 \\\r\n2 3`
  const mesh = readObj(text(content))
  expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0])
  expect([...mesh.triangles]).toEqual([0, 1, 2])
})

test('faces may come before their vertices', () => {
  expect([...readObj(text(`f 1 2 3\n${POINTS}`)).triangles]).toEqual([0, 1, 2])
})

describe('errors name the face or line', () => {
  test.each([
    [`${POINTS}f 1 2 3\nf 1 2 99\n`, 'obj: face 2 refers to vertex 99 of 4; check the file was written completely.'],
    [`${POINTS}f 0 1 2`, 'obj: face 1 refers to vertex 0 of 4; OBJ counts from 1, or from -1 backwards.'],
    [`${POINTS}f -5 1 2`, 'obj: face 1 refers to vertex -5 of 4; OBJ counts from 1, or from -1 backwards.'],
    [`${POINTS}f 1 2`, 'obj: face 1 has 2 corners and needs 3; remove loose points and edges.'],
    [`${POINTS}f 1 2 x`, 'obj: face 1 on line 5 has a corner that is not a number; check the file.'],
    [`${POINTS}f 1 2 1e300`, 'obj: face 1 refers to vertex 1e+300; check the file was written completely.'],
    ['v 1 2\nf 1 1 1', 'obj: line 1 ends before a coordinate; check the file was written completely.'],
    ['v 1 nan 2', "obj: a coordinate on line 1 is 'nan', not a finite number; check the file."],
    [POINTS, 'obj: 4 vertices but no faces found; a surface is needed, not a point cloud.'],
    ['hello', 'obj: no vertices and no faces found; check that this is the right file.'],
  ])('%j', (content, message) => {
    expect(() => readObj(text(content))).toThrow(message)
  })
})

test('what is written is read back bit for bit (seed 3)', () => {
  const random = randomStream(3)
  const mesh = boxMesh()
  for (let i = 0; i < mesh.positions.length; i++) mesh.positions[i] = random.normal() * 10 ** random.between(-20, 20)
  expect(readObj(writeObj(mesh))).toEqual(mesh)
})
