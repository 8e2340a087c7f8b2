/** Table 2 and what handling came to, as rows of text: they serve the page and docs/benchmarks.md alike. */
import { NOTHING, right, seedFigure } from '../../../report/seed-figure.js'
import { type HandlerCell, METHODS, type MethodName, SUBJECTS, type SubjectName } from '../cells/cell-name.js'
import type { HandlerResult } from '../cells/cell-result.js'
import type { HandlingFigures } from '../cells/handling.js'
import { type PrintedSet, printedSet } from '../paper.js'
import { METHOD_NAMES, SUBJECT_NAMES } from '../words.js'

interface Measure {
  title: string
  of(cell: HandlerResult): number | undefined
  /** What the paper prints of the method, which then stands before. */
  printed?(set: PrintedSet): Partial<Record<MethodName, number>>
  show(value: number): string
}

const fixed =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits)
const counted = (value: number): string => Math.round(value).toLocaleString('en')
/** A share of mistakes [%], rounded up: 0.00 is said where there are none. */
const wrong = (value: number): string => (Math.ceil(100 * value - 1e-6) / 100).toFixed(2)

export const DETECTION: readonly Measure[] = [
  { title: 'labels', of: ({ labels }) => labels, show: counted },
  {
    title: 'accuracy [%]',
    of: ({ quality }) => 100 * quality.signAccuracy,
    printed: ({ accuracy }) => accuracy,
    show: right,
  },
  {
    title: 'touching called free [%]',
    of: ({ quality }) => 100 * quality.falseNegatives,
    printed: ({ falseNegatives }) => falseNegatives,
    show: wrong,
  },
  { title: 'free called touching [%]', of: ({ quality }) => 100 * quality.falsePositives, show: wrong },
  { title: 'balanced accuracy [%]', of: ({ quality }) => 100 * quality.balancedAccuracy, show: right },
  { title: 'accuracy at 2% missed [%]', of: ({ atEqualMisses }) => 100 * atEqualMisses, show: right },
  { title: 'with 4% exact [%]', of: hybridAt(0.04), show: right },
  { title: 'with 8% exact [%]', of: hybridAt(0.08), show: right },
  { title: 'touching [%]', of: ({ touchingShare }) => 100 * touchingShare, show: fixed(1) },
  { title: 'processor minutes', of: ({ processorSeconds: s }) => (s === null ? undefined : s / 60), show: fixed(1) },
]

export const HANDLING: readonly Measure[] = [
  { title: 'codes', of: ({ handling }) => handling.codes, show: counted },
  ...handlingOf('believed', ['decreased', 'freed', 'reduction', 'moved', 'milliseconds']),
  ...handlingOf('checked', ['freed', 'moved', 'milliseconds', 'tests']),
]

function handlingOf(
  how: 'believed' | 'checked',
  keys: readonly Exclude<keyof HandlingFigures, 'points'>[],
): readonly Measure[] {
  const titles = { decreased: 'less deep [%]', freed: 'free [%]', reduction: 'depth gone [%]', moved: 'way' }
  const share = (key: string): boolean => key === 'decreased' || key === 'freed' || key === 'reduction'
  return keys.map((key) => ({
    title: `${how}: ${{ ...titles, milliseconds: 'ms', tests: 'exact tests' }[key]}`,
    of: ({ handling }) => (share(key) ? 100 : 1) * handling[how][key],
    show: share(key) ? right : key === 'moved' ? fixed(3) : fixed(1),
  }))
}

function hybridAt(most: number): (cell: HandlerResult) => number | undefined {
  return ({ quality }) => {
    const row = quality.hybrid.filter(({ exactShare }) => exactShare <= most + 1e-3).at(-1)
    return row && 100 * row.accuracy
  }
}

export function headOf(measures: readonly Measure[]): string[] {
  return [
    'subject',
    'method',
    ...measures.flatMap(({ title, printed }) => (printed ? [`${title}: printed`, 'here'] : title)),
  ]
}

/** Each subject and method, whether or not it is trained; of cells with a budget of their own none. */
export function rowsOf(cells: readonly HandlerResult[], measures: readonly Measure[]): string[][] {
  return SUBJECTS.flatMap((subject) =>
    METHODS.map((method) => {
      const seeds = cells.filter((cell) => isOf(cell, subject, method))
      const printed = printedSet(subject)
      return [
        SUBJECT_NAMES[subject],
        METHOD_NAMES[method],
        ...measures.flatMap((measure) => {
          const here = seedFigure(
            seeds.flatMap((cell) => measure.of(cell) ?? []),
            measure.show,
          )
          if (!measure.printed) return [here]
          const theirs = measure.printed(printed)[method]
          return [theirs === undefined ? NOTHING : measure.show(theirs), here]
        }),
      ]
    }),
  )
}

function isOf(cell: HandlerCell, subject: SubjectName, method: MethodName): boolean {
  return cell.subject === subject && cell.method === method && cell.budget === undefined
}
