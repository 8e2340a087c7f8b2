import { expect, it } from 'vitest'
import { add, compileFunction, constant, gather, input } from '../../src/graph/index.js'
import { smallestIndices } from '../../src/graph/nearest.js'

it('smallestIndices finds the smallest of each row, ties from the left, for any number of rows', async () => {
  const values = input('values', ['n', 4])
  const places = smallestIndices(values, 3)
  const table = constant([10, 11, 12, 13], [4, 1])
  const f = await compileFunction({ inputs: [values], outputs: { found: add(gather(table, places), 0) } })
  const { found } = await f.run({ values: Float32Array.of(3, 1, 2, 0, 5, -1, 5, -1, 7, 7, 7, 7) })
  expect([...found]).toEqual([13, 11, 12, 11, 13, 10, 10, 11, 12])
  await f.dispose()
  expect(() => smallestIndices(values, 5)).toThrow('5 of [n, 4]')
})
