import { expect, test } from 'vitest'
import { joinedArrays } from '../../src/math/joined-arrays.js'

test('joined arrays follow each other, and none make an empty one', () => {
  const parts = [[1, 2], [], [3, 4, 5], [6]]
  expect(joinedArrays(Float32Array, parts, (part) => Float32Array.from(part))).toEqual(
    Float32Array.of(1, 2, 3, 4, 5, 6),
  )
  expect(joinedArrays(Uint32Array, [], (part) => part)).toEqual(new Uint32Array(0))
})
