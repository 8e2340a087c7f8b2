import { expect, test } from 'vitest'
import { cellsMarkdown } from '../../../../src/suites/cspace/cells/markdown.js'
import { madeGrid } from './made-cells.js'

test('Fig. 5 has a row for each network of a body and a column for each number of modes, empty where none was trained', () => {
  const cells = [
    madeGrid({ modes: 5, signAccuracy: 0.97531 }),
    madeGrid({ modes: 3, signAccuracy: 0.98642 }),
    madeGrid({ modes: 3, layers: 1, width: 10, signAccuracy: 0.91 }),
    madeGrid({ body: 'bunny', modes: 5, signAccuracy: 0.9 }),
  ]
  const lines = cellsMarkdown(cells).split('\n')
  expect(lines).toContain('| body | network | 3 modes | 5 modes |')
  expect(lines).toContain('| snake | 2 x 70 | 98.64 | 97.53 |')
  expect(lines).toContain('| snake | 1 x 10 | 91.00 |  |')
  expect(lines).toContain('| bunny | 2 x 70 |  | 90.00 |')
  expect(lines.filter((line) => line.startsWith('| snake'))).toHaveLength(15)
  expect(lines.some((line) => line.includes('100 of its 500 iterations'))).toBe(true)
})
