/**
 * Table 1: the paper's printed value, its method here and ours, side by side for each body and number of modes, and then
 * what the paper leaves out. The same rows serve the page and docs/benchmarks.md.
 */
import { NOTHING, right, seedFigure } from '../../../report/seed-figure.js'
import { METHODS, TABLE_BODIES, TABLE_MODES } from '../cells/cell-name.js'
import type { NetworkResult } from '../cells/cell-result.js'
import { type PrintedRow, printedRow } from '../paper.js'

/** A column of a table for each of the sources below it. */
export interface Measure {
  title: string
  of(cell: NetworkResult): number | undefined
  /** What the paper prints of it. */
  printed?(row: PrintedRow): number
  show(value: number): string
  /** Of several seeds the largest is told, and not the mean. */
  isLargest?: boolean
}

const share = (value: number): number => 100 * value
const fixed =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits)

export const PRINTED_MEASURES: readonly Measure[] = [
  { title: 'η, right signs [%]', of: ({ quality }) => share(quality.signAccuracy), printed: (r) => r.eta, show: right },
  { title: 'e_sd', of: ({ quality }) => quality.distanceError?.mean, printed: (r) => r.distance, show: fixed(4) },
  { title: 'e_grad', of: ({ quality }) => quality.gradientError, printed: (r) => r.gradient, show: fixed(4) },
  { title: 'σ_grad', of: ({ quality }) => quality.gradientSpread, printed: (r) => r.spread, show: fixed(4) },
]

export const LEFT_OUT_MEASURES: readonly Measure[] = [
  { title: 'balanced accuracy [%]', of: ({ quality }) => share(quality.balancedAccuracy), show: right },
  { title: 'right within 0.1 [%]', of: ({ quality }) => share(quality.nearAccuracy), show: right },
  { title: 'largest distance error', of: ({ quality }) => quality.distanceError?.max, show: fixed(3), isLargest: true },
  { title: 'labels', of: ({ labels }) => labels, show: (value) => Math.round(value).toLocaleString('en') },
  { title: 'processor minutes', of: ({ processorSeconds: s }) => (s === null ? undefined : s / 60), show: fixed(1) },
]

export interface TableRow {
  body: string
  modes: number
  /** Share of codes that touch themselves [%]. */
  touching: string
  /** Seeds of the paper's method and of ours. */
  seeds: string
  /** By measure, then by column: printed (if it is), the paper's method here, ours. */
  cells: string[][]
}

/** Bodies and modes of Table 1 whether or not they are trained, and whatever else is. */
export function tableRows(cells: readonly NetworkResult[], measures: readonly Measure[]): TableRow[] {
  return keysOf(cells).map(([body, modes]) => {
    const own = cells.filter((cell) => cell.body === body && cell.modes === modes)
    const byMethod = METHODS.map((method) => own.filter((cell) => cell.method === method))
    const printed = printedRow(body, modes)
    return {
      body,
      modes,
      touching: seedFigure(
        own.slice(0, 1).map(({ touchingShare }) => share(touchingShare)),
        fixed(1),
      ),
      seeds: byMethod.map((seeds) => seeds.length).join(', '),
      cells: measures.map((measure) => [
        ...(measure.printed ? [printed ? measure.show(measure.printed(printed)) : NOTHING] : []),
        ...byMethod.map((seeds) => {
          const values = seeds.flatMap((cell) => measure.of(cell) ?? [])
          return seedFigure(measure.isLargest && values.length > 0 ? [Math.max(...values)] : values, measure.show)
        }),
      ]),
    }
  })
}

function keysOf(cells: readonly NetworkResult[]): [string, number][] {
  const bodies = [...new Set([...TABLE_BODIES, ...cells.map(({ body }) => body)])]
  return bodies.flatMap((body) => {
    const asked: readonly number[] = (TABLE_BODIES as readonly string[]).includes(body) ? TABLE_MODES : []
    const trained = cells.filter((cell) => cell.body === body).map(({ modes }) => modes)
    return [...new Set([...asked, ...trained])].sort((a, b) => a - b).map((modes): [string, number] => [body, modes])
  })
}
