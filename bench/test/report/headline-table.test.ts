import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { suites } from '../../src/index.js'
import { headlineTable, queryCells } from '../../src/report/headline-table.js'
import { committed, root, savedNow } from './saved.js'

it("the README's table is made of the results that are committed", () => {
  const table = headlineTable(suites, committed)
  expect(table).not.toMatch(/undefined|NaN|null/)
  expect(readFileSync(new URL('README.md', root), 'utf8')).toContain(`<!-- figures -->\n${table}\n<!-- /figures -->`)
})

it('has the largest error beside the mean, the fastest rival, the file and the command, and a link to the rest', () => {
  const table = headlineTable(suites, savedNow)
  const source = (suite: string): string =>
    `[${suite}.json](bench/results/${suite}.json), \`npx pliant bench ${suite}\``
  const rows = table.split('\n').filter((line) => line.startsWith('| a '))
  expect(rows).toEqual([
    `| a bar, bent: 3,008 triangles | 0.55% (0.5% to 0.6%) (2%) | 99.5% | 1 / 2 degrees | 10 us (anywhere) | 3x (our exact, stopping at the band) | 3x (1,024 anywhere) | ${source('bar')} |`,
    `| a character, posed: 17,000 triangles | 0.052% (0.05% to 0.054%) (1.2%) | 99.96% | 4.8 / 24 degrees | 1,000 us (near the surface) | 3x (our exact, stopping at the band) | 3x (1,024 near the surface) | ${source('cloth')} |`,
    `| a soft body, simulated: 3,040 triangles | 0.1% (0.09% to 0.11%) (2.5%) | 99.7% | 4 / 25 degrees | 300 us (128 queries near the surface) | 2.1x (our exact, stopping at the band) | 2.1x (128 near the surface) | ${source('haptics')} |`,
  ])
  expect(table).toContain('](docs/benchmarks.md)')
})

it('takes the row of 1,024 queries, near or anywhere, that flatters less, and the least gain of all large rows', () => {
  interface Row {
    count: number
    points: 'near' | 'uniform'
    gain: number
  }
  const near = (count: number, gain: number): Row => ({ count, points: 'near', gain })
  const anywhere = (count: number, gain: number): Row => ({ count, points: 'uniform', gain })
  const cells = (...rows: Row[]) =>
    queryCells(rows, { microseconds: ({ count }) => count, gain: ({ gain }) => ({ rival: 'r', gain }) })
  expect(cells(near(512, 2), near(1024, 9), anywhere(1024, 8), near(2048, 3))).toEqual({
    time: '1,024 us (anywhere)',
    gain: '8x (r)',
    least: '2x (512 near the surface)',
  })
  // Few queries are left out of the least gain: there the change of shape decides.
  expect(cells(near(1, 0.1), near(1024, 4), anywhere(1024, 5)).least).toBe('4x (1,024 near the surface)')
  // Without 1,024, those next to it on both sides.
  const beside = (...rows: Row[]): string => cells(...rows).time
  expect(beside(near(1, 0.1), near(512, 5), near(2048, 4), near(9999, 1))).toBe(
    '2,048 us (2,048 queries near the surface)',
  )
  expect(beside(near(512, 4), near(2048, 5))).toBe('512 us (512 queries near the surface)')
  expect(beside(near(16, 4), near(128, 5))).toBe('128 us (128 queries near the surface)')
})
