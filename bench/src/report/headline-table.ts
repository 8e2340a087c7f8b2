/** The README's one table of figures: a row of each suite that has a headline, with its source and the command. */
import type { Suite } from '../suite/suite.js'
import type { Gain } from '../timing/best-rival.js'
import { markdownTable } from './markdown.js'
import { benchCommand, originText, type ReadResult } from './result-file.js'

const HEAD = [
  '',
  'mean error (largest)',
  'right sign',
  'normals off by, median / 95%',
  '1,024 queries near the surface',
  'gain over the fastest rival',
  'source',
]

/** How many queries the table is about. */
export const HEADLINE_QUERIES = 1024

/** Table, where it was measured, and where the rest is. */
export function headlineTable(suites: readonly Suite[], read: ReadResult): string {
  const origins = new Set<string>()
  const rows = suites.flatMap((suite) => {
    const file = read(suite.name)
    if (!file || !suite.headline) return []
    origins.add(originText(file))
    const { subject, error, sign, normals, time, gain } = suite.headline(file.result)
    const source = `[${suite.name}.json](bench/results/${suite.name}.json), \`${benchCommand(suite.name)}\``
    return [[subject, error, sign, normals, time, gain, source]]
  })
  return [
    markdownTable(HEAD, rows),
    'Errors in % of the size, off the surface and within the band, of shapes never trained on. Time of one thread: the change of shape, then all queries with sign and normal; the gain is over whatever is fastest at the same output, our own exact field among the rivals.',
    `*${[...origins].join('; ')}.* All tables: [docs/benchmarks.md](docs/benchmarks.md).`,
  ].join('\n\n')
}

/**
 * The row of 1,024 queries; of a result without it, of the rows next to that number the one that flatters us less.
 * @param rows  in any order, one for each number of queries
 */
export function headlineRow<Row extends { count: number }>(rows: readonly Row[], gainOf: (row: Row) => Gain): Row {
  const below = rows.filter(({ count }) => count <= HEADLINE_QUERIES)
  const above = rows.filter(({ count }) => count >= HEADLINE_QUERIES)
  const beside = [
    ...below.filter(({ count }) => count === Math.max(...below.map((row) => row.count))),
    ...above.filter(({ count }) => count === Math.min(...above.map((row) => row.count))),
  ]
  return beside.reduce((a, b) => (gainOf(b).gain < gainOf(a).gain ? b : a))
}

/** The number of queries, where it is not that of the column. */
export function countNote(count: number): string {
  return count === HEADLINE_QUERIES ? '' : ` (${count.toLocaleString('en')} queries)`
}
