/** The sections of the page, each from results alone. */
import { type CurvePoint, drawCurves, drawLegend } from '../../../pages/charts.js'
import { escapeHtml, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import { METHODS, type MethodName, SUBJECTS, type SubjectName } from '../cells/cell-name.js'
import type { HandlerResult } from '../cells/cell-result.js'
import { PAPER_HANDLING, PAPER_TABLE_2, type PaperMethod } from '../paper.js'
import { EXCLUSIONS, METHOD_NAMES, SUBJECT_NAMES } from '../words.js'
import { DETECTION, HANDLING, headOf, rowsOf } from './table-2.js'

const COLOURS: Record<MethodName, string> = {
  supv: '#9aa3b2',
  'supv-bd': '#cf6a10',
  'active-bd': '#1f6fb2',
  ours: '#2e8b32',
}
const LEGEND = new Map(METHODS.map((method) => [METHOD_NAMES[method], COLOURS[method]]))
/** As many codes as anybody would hand to the exact test. */
const MOST_EXACT = 0.2
const SIZE = { width: 366, height: 300 } as const

export function tableSection(cells: readonly HandlerResult[]): PageSection {
  const codes = [...new Set(cells.map(({ quality }) => quality.codes.toLocaleString('en')))].join(' or ') || 'no'
  const text = `<p>${codes} codes that were never learned from, each tested exactly. Of the paper's three methods the printed value stands beside what it comes to here. "With 4% exact": if the 4% of codes of which the field is least sure go to the exact test. ${escapeHtml(EXCLUSIONS)}</p>`
  return {
    title: 'How good the detectors are (Table 2)',
    body: text + renderTable(headOf(DETECTION), rowsOf(cells, DETECTION)) + printedTable(),
  }
}

/** All of the paper's own data, those that none of ours is like among them. */
function printedTable(): string {
  const methods = METHODS.filter((method): method is PaperMethod => method !== 'ours')
  const rows = PAPER_TABLE_2.map(({ name, labels, accuracy, falseNegatives }) => [
    name,
    labels.toLocaleString('en'),
    ...methods.map((method) => accuracy[method].toFixed(2)),
    ...methods.map((method) => falseNegatives[method].toFixed(2)),
  ])
  const names = methods.map((method) => METHOD_NAMES[method])
  const head = ['', 'labels', ...names.map((name) => `accuracy, ${name}`), ...names.map((name) => `missed, ${name}`)]
  return renderTable(head, rows, 'The whole of Table 2 as the paper prints it [%]')
}

export function handlingSection(cells: readonly HandlerResult[]): PageSection {
  const { 'active-bd': active, 'supv-bd': baseline } = PAPER_HANDLING
  const text = `<p>Touching codes that were never learned from. Believed: the paper's handler, an augmented Lagrangian that asks the network alone. Checked: as <code>pliant repair</code>, which asks the exact test and goes on until it agrees. Less deep is the paper's success (PD decreased), free is PD = 0 by the exact test; depth gone is the mean of (PD before - PD after) / PD before over all codes; the way is that of codes that are less deep than before, in the unit of the code, which differs from subject to subject and from the paper's; ms are processor time of one. The paper prints of SCAPE, successful ones alone: depth gone ${active.reduction}% (Active+bd), ${baseline.reduction}% (Supv+bd).</p>`
  return {
    title: 'What they are worth to a handler',
    body: text + renderTable(headOf(HANDLING), rowsOf(cells, HANDLING)),
  }
}

/** Figs. 4 to 6: what there is of cells with other numbers of labels. */
export function labelsSection(cells: readonly HandlerResult[]): PageSection {
  const figures: [string, string, (cell: HandlerResult) => number][] = [
    ['Fig. 4', 'accuracy [%]', ({ quality }) => 100 * quality.signAccuracy],
    ['Fig. 5', 'touching called free [%]', ({ quality }) => 100 * quality.falseNegatives],
    ['Fig. 6', 'less deep once handled [%]', ({ handling }) => 100 * handling.believed.decreased],
  ]
  const rows = trainedSubjects(cells).map((subject) => {
    const own = firstSeeds(cells.filter((cell) => cell.subject === subject)).sort((a, b) => a.labels - b.labels)
    const charts = figures.map(([figure, y, of]) => {
      const points = own.map((cell): CurvePoint => ({ x: cell.labels, y: of(cell), curve: METHOD_NAMES[cell.method] }))
      const label = `${SUBJECT_NAMES[subject]}, ${figure}`
      return renderFigure(drawCurves(points, { x: 'labels', y, label, colours: LEGEND, ...SIZE }), label)
    })
    return `<div class="row">${charts.join('')}</div>`
  })
  const text =
    '<p>Cells with a number of labels of their own (<code>reproduce handler --cells hand-ours-1-20000</code>) make these curves; a method with one cell is a point. First seeds. Success is that of the handler that believes the network.</p>'
  return { title: 'Against the number of labels (Figs. 4 to 6)', body: text + orMissing(rows, drawLegend(LEGEND)) }
}

/** Fig. 7. */
export function reductionSection(cells: readonly HandlerResult[]): PageSection {
  const charts = trainedSubjects(cells).map((subject) => {
    const points = firstSeeds(cells.filter((cell) => cell.subject === subject && cell.budget === undefined))
      .filter(({ method }) => method !== 'supv')
      .flatMap(({ method, handling }) =>
        handling.believed.points
          .filter(([, reduction]) => reduction > 0)
          .map(([moved, reduction]): CurvePoint => ({ x: moved, y: 100 * reduction, curve: METHOD_NAMES[method] })),
      )
    const label = `${SUBJECT_NAMES[subject]}, Fig. 7`
    const options = { x: 'way of the code', y: 'depth gone [%]', label, colours: LEGEND, scattered: true, ...SIZE }
    return renderFigure(drawCurves(points, options), label)
  })
  const text =
    '<p>The first 200 codes of each cell that were handled with success, by the handler that believes the network.</p>'
  const rows = charts.length > 0 ? [`<div class="row">${charts.join('')}</div>`] : []
  return { title: 'Depth gone against the way of the code (Fig. 7)', body: text + orMissing(rows, drawLegend(LEGEND)) }
}

export function hybridSection(cells: readonly HandlerResult[]): PageSection {
  const charts = trainedSubjects(cells).map((subject) => {
    const own = firstSeeds(cells.filter((cell) => cell.subject === subject && cell.budget === undefined))
    const points = own.flatMap(({ method, quality }) =>
      quality.hybrid
        .filter(({ exactShare }) => exactShare <= MOST_EXACT)
        .map(
          ({ exactShare, accuracy }): CurvePoint => ({
            x: 100 * exactShare,
            y: 100 * accuracy,
            curve: METHOD_NAMES[method],
          }),
        ),
    )
    const label = `${SUBJECT_NAMES[subject]}, hybrid`
    const options = { x: 'codes tested exactly [%]', y: 'accuracy [%]', label, colours: LEGEND, ...SIZE }
    return renderFigure(drawCurves(points, options), label)
  })
  const text =
    '<p>Codes of which the field is least sure go to the exact test, the others are called by its sign; first seeds.</p>'
  const rows = charts.length > 0 ? [`<div class="row">${charts.join('')}</div>`] : []
  return { title: 'Accuracy against the share of exact tests', body: text + orMissing(rows, drawLegend(LEGEND)) }
}

function trainedSubjects(cells: readonly HandlerResult[]): SubjectName[] {
  return SUBJECTS.filter((subject) => cells.some((cell) => cell.subject === subject))
}

function orMissing(rows: readonly string[], legend: string): string {
  return rows.length > 0 ? legend + rows.join('') : '<p>Not trained yet.</p>'
}

/** One of each method and number of labels, the lowest seed. */
function firstSeeds(cells: readonly HandlerResult[]): HandlerResult[] {
  const found = new Map<string, HandlerResult>()
  for (const cell of [...cells].sort((a, b) => a.seed - b.seed)) {
    const key = `${cell.subject} ${cell.method} ${cell.budget}`
    if (!found.has(key)) found.set(key, cell)
  }
  return [...found.values()]
}
