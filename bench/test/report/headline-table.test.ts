import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { suites } from '../../src/index.js'
import { headlineRow, headlineTable } from '../../src/report/headline-table.js'
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
    `| a bar, bent: 3,008 triangles | 0.55% (0.5% to 0.6%) (2%) | 99.5% | 1 / 2 degrees | 10 us | 3x (our exact, stopping at the band) | ${source('bar')} |`,
    `| a character, posed: 17,000 triangles | 0.052% (0.05% to 0.054%) (1.2%) | 99.96% | 4.8 / 24 degrees | 1,000 us | 3x (our exact, stopping at the band) | ${source('cloth')} |`,
    `| a soft body, simulated: 3,040 triangles | 0.1% (0.09% to 0.11%) (2.5%) | 99.7% | 4 / 25 degrees | 300 us (128 queries) | 2.1x (our exact, stopping at the band) | ${source('haptics')} |`,
  ])
  expect(table).toContain('](docs/benchmarks.md)')
})

it('takes the row of 1,024 queries, or of those next to it the one that flatters less', () => {
  const row = (count: number, gain: number): { count: number; gain: number } => ({ count, gain })
  const pick = (...rows: { count: number; gain: number }[]): number =>
    headlineRow(rows, ({ gain }) => ({ rival: 'r', gain })).count
  expect(pick(row(512, 1), row(1024, 9), row(2048, 1))).toBe(1024)
  expect(pick(row(1, 0.1), row(512, 5), row(2048, 4), row(9999, 1))).toBe(2048)
  expect(pick(row(512, 4), row(2048, 5))).toBe(512)
  expect(pick(row(16, 4), row(128, 5))).toBe(128)
})
