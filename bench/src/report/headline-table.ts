/** The README's one table of figures: a row of each suite that has a headline, with its source and the command. */
import type { Headline, Suite } from '../suite/suite.js'
import type { Gain } from '../timing/best-rival.js'
import { markdownTable, round, whole } from './markdown.js'
import { benchCommand, originText, type ReadResult } from './result-file.js'
import { gainCell, type RivalNames } from './rival-names.js'

const HEAD = [
  '',
  'mean error (largest)',
  'right sign',
  'normals off by, median / 95%',
  '1,024 queries',
  'gain there over the fastest rival',
  'least gain from 128 queries up',
  'source',
]

/** How many queries the table is about. */
const HEADLINE_QUERIES = 1024
/** From here on queries, not the change of shape, take most of a frame. */
const MANY_QUERIES = 128

/** Table, where it was measured, and where the rest is. */
export function headlineTable(suites: readonly Suite[], read: ReadResult): string {
  const origins = new Set<string>()
  const rows = suites.flatMap((suite) => {
    const file = read(suite.name)
    if (!file || !suite.headline) return []
    origins.add(originText(file))
    const { subject, error, sign, normals, time, gain, least } = suite.headline(file.result)
    const source = `[${suite.name}.json](bench/results/${suite.name}.json), \`${benchCommand(suite.name)}\``
    return [[subject, error, sign, normals, time, gain, least, source]]
  })
  return [
    markdownTable(HEAD, rows),
    'Errors in % of the size, off the surface and within the band, of shapes never trained on. Time of one thread: the change of shape, then all queries with sign and normal, of points near the surface or anywhere, whichever flatters us less; the gain is over whatever is fastest at the same output, our own exact field among the rivals.',
    `*${[...origins].join('; ')}.* All tables: [docs/benchmarks.md](docs/benchmarks.md).`,
  ].join('\n\n')
}

/** A number of queries that was timed, of points of one kind. */
interface TimedRow {
  count: number
  points: 'near' | 'uniform'
}

const PLACES = { near: 'near the surface', uniform: 'anywhere' } as const

/**
 * Time and gains of a headline. Wherever there is a choice of rows, the one that flatters us less is taken.
 * @param rows  in any order, of several numbers of queries and both kinds of points
 */
export function queryCells<Row extends TimedRow>(
  rows: readonly Row[],
  of: { microseconds: (row: Row) => number; gain: (row: Row) => Gain; names?: RivalNames },
): Pick<Headline, 'time' | 'gain' | 'least'> {
  const lesser = (some: readonly Row[]): Row => some.reduce((a, b) => (of.gain(b).gain < of.gain(a).gain ? b : a))
  const row = lesser(besideHeadline(rows))
  const many = rows.filter(({ count }) => count >= MANY_QUERIES)
  const least = many.length > 0 ? lesser(many) : row
  const count = row.count === HEADLINE_QUERIES ? '' : `${whole(row.count)} queries `
  return {
    time: `${whole(Math.round(of.microseconds(row)))} us (${count}${PLACES[row.points]})`,
    gain: gainCell(of.gain(row), of.names),
    least: `${round(of.gain(least).gain, 2)}x (${whole(least.count)} ${PLACES[least.points]})`,
  }
}

/** The rows of 1,024 queries; of a result without them, those next to that number on both sides. */
function besideHeadline<Row extends TimedRow>(rows: readonly Row[]): Row[] {
  const below = Math.max(...rows.map(({ count }) => count).filter((count) => count <= HEADLINE_QUERIES))
  const above = Math.min(...rows.map(({ count }) => count).filter((count) => count >= HEADLINE_QUERIES))
  return rows.filter(({ count }) => count === below || count === above)
}
