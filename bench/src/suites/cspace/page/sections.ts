/** The sections of the page, each from results alone. */
import { type CurvePoint, drawCurves, drawLegend } from '../../../pages/charts.js'
import { escapeHtml, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import { right } from '../../../report/seed-figure.js'
import { GRID, METHODS, nameOfCell, TABLE_BODIES, TABLE_MODES } from '../cells/cell-name.js'
import type { GridResult, NetworkResult } from '../cells/cell-result.js'
import { METHOD_NAMES } from '../words.js'
import { drawExactSlice, drawLearnedSlice } from './draw-slice.js'
import { LEFT_OUT_MEASURES, type Measure, PRINTED_MEASURES, type TableRow, tableRows } from './table-1.js'

export function tableSection(cells: readonly NetworkResult[]): PageSection {
  const rows = tableRows(cells, PRINTED_MEASURES)
  const seeds = cells.some(({ seed }) => seed !== 1)
    ? ' Where several seeds were trained: their mean, ± half of its 95% interval by Student’s t.'
    : ' One seed each.'
  const text = `<p>50,000 codes drawn evenly from the box, none of them trained on; distances of 2,000 of them, measured exactly, where the paper looks them up in a dense cloud of points. The paper's bodies are not at hand: ours are others of the same names, scaled by pulling at them, so its printed values say how hard such bodies are, and the two columns beside them compare methods. ${seeds}</p>`
  const groups = groupedTable(rows, PRINTED_MEASURES, ['printed', 'its method here', 'ours here'])
  const faults = cells.flatMap((cell) =>
    cell.fault === null ? [] : [`<p>${nameOfCell(cell)} is marked as bad: ${escapeHtml(cell.fault)}.</p>`],
  )
  return { title: 'How good the learned distances are (Table 1)', body: text + groups + faults.join('') }
}

export function leftOutSection(cells: readonly NetworkResult[]): PageSection {
  const rows = tableRows(cells, LEFT_OUT_MEASURES)
  const text =
    '<p>Balanced accuracy is the mean over touching and free codes, as one of them may be rare; near the boundary, within 0.1 of it, is where signs are hard; labels are exact tests of all kinds; processor minutes are of learning on all threads, without evaluation: half of them on two quiet cores. Of several seeds the largest distance error is the largest of all.</p>'
  return {
    title: 'What the paper leaves out',
    body: text + groupedTable(rows, LEFT_OUT_MEASURES, ["the paper's", 'ours'], true),
  }
}

/** A heading over each measure's columns. */
function groupedTable(
  rows: readonly TableRow[],
  measures: readonly Measure[],
  columns: readonly string[],
  withCounts = false,
): string {
  const th = (text: string, more = ''): string => `<th${more}>${escapeHtml(text)}</th>`
  const counted = withCounts ? ['touching [%]', 'seeds'] : []
  const top = [
    ...['body', 'modes', ...counted].map((text) => th(text, ' rowspan="2"')),
    ...measures.map(({ title }) => th(title, ` colspan="${columns.length}" class="group"`)),
  ]
  const under = measures.flatMap(() => columns.map((name, i) => th(name, i === 0 ? ' class="first"' : '')))
  const body = rows.map(({ body, modes, touching, seeds, cells }) => {
    const counts = withCounts ? [touching, seeds] : []
    const values = cells.flatMap((group) =>
      group.map((text, i) => `<td${i === 0 ? ' class="first"' : ''}>${escapeHtml(text)}</td>`),
    )
    return `<tr>${[body, String(modes), ...counts].map((text) => `<td>${escapeHtml(text)}</td>`).join('')}${values.join('')}</tr>`
  })
  return `<div class="wide"><table class="groups"><thead><tr>${top.join('')}</tr><tr>${under.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

/** Dark: ours; light, of the same hue: the paper's method. */
const PAIRS: Readonly<Record<string, readonly [paper: string, ours: string]>> = {
  snake: ['#9cc5e8', '#1f6fb2'],
  bunny: ['#f5bd8a', '#cf6a10'],
  bracelet: ['#a5d6a0', '#2e8b32'],
  spring: ['#d3b5e3', '#7b3fa0'],
}

/** As many codes as anybody would hand to the exact test. */
const MOST_EXACT = 0.2

export function hybridSection(cells: readonly NetworkResult[]): PageSection {
  const colours = new Map(
    [...TABLE_BODIES, 'spring'].flatMap((body) =>
      METHODS.flatMap((method, i): [string, string][] =>
        cells.some((cell) => cell.body === body && cell.method === method)
          ? [[curveOf(body, method), PAIRS[body][i]]]
          : [],
      ),
    ),
  )
  const modes = [...new Set(cells.map((cell) => cell.modes))].sort((a, b) => a - b)
  const charts = modes.map((count) => {
    const points = firstSeeds(cells.filter((cell) => cell.modes === count)).flatMap(({ body, method, quality }) =>
      quality.hybrid
        .filter(({ exactShare }) => exactShare <= MOST_EXACT)
        .map(
          ({ exactShare, accuracy }): CurvePoint => ({
            x: 100 * exactShare,
            y: 100 * accuracy,
            curve: curveOf(body, method),
          }),
        ),
    )
    const label = `${count} modes`
    const options = { x: 'codes tested exactly [%]', y: 'right signs [%]', label, colours, width: 366, height: 300 }
    return renderFigure(drawCurves(points, options), label)
  })
  const rows = firstSeeds(cells).map(({ body, modes, method, quality }) => [
    `${body}, ${modes} modes, ${METHOD_NAMES[method]}`,
    ...[0, 0.01, 0.02, 0.05, 0.1].map((most) => {
      const row = quality.hybrid.filter(({ exactShare }) => exactShare <= most + 1e-3).at(-1)
      return row ? right(100 * row.accuracy) : ''
    }),
  ])
  const head = ['', ...['none', '1%', '2%', '5%', '10%'].map((each) => `${each} tested exactly`)]
  const text =
    '<p>Codes with |f| below tau go to the exact test, the others are called by the sign of f. A larger tau tests more codes and gets more of them right; first seeds.</p>'
  return {
    title: 'Accuracy against the share of exact tests',
    body: `${text}${drawLegend(colours)}<div class="row">${charts.join('')}</div>${renderTable(head, rows, 'right signs [%]')}`,
  }
}

function curveOf(body: string, method: keyof typeof METHOD_NAMES): string {
  return `${body}, ${METHOD_NAMES[method]}`
}

/** One of each body, number of modes and method, the lowest seed. */
function firstSeeds(cells: readonly NetworkResult[]): NetworkResult[] {
  const found = new Map<string, NetworkResult>()
  const order = ({ modes, body, method, seed }: NetworkResult): number[] => [
    ...[modes, Object.keys(PAIRS).indexOf(body), METHODS.indexOf(method), seed],
  ]
  const compare = (a: number[], b: number[]): number => a.map((value, i) => value - b[i]).find((by) => by !== 0) ?? 0
  for (const cell of [...cells].sort((a, b) => compare(order(a), order(b)))) {
    const key = `${cell.body} ${cell.modes} ${cell.method}`
    if (!found.has(key)) found.set(key, cell)
  }
  return [...found.values()]
}

/** The paper's figure is of its bracelet. */
const SLICED = 'bracelet'

export function sliceSection(cells: readonly NetworkResult[]): PageSection {
  const own = firstSeeds(cells.filter(({ body }) => body === SLICED))
  const modes = [...new Set<number>([...TABLE_MODES, ...own.map((cell) => cell.modes)])].sort((a, b) => a - b)
  const rows = modes.flatMap((count) => {
    const there = METHODS.map((method) => own.find((cell) => cell.modes === count && cell.method === method))
    const exact = there.find((cell) => cell !== undefined)
    if (!exact) return []
    const learned = there.flatMap((cell) =>
      cell
        ? [
            renderFigure(
              drawLearnedSlice(cell.slice, `${METHOD_NAMES[cell.method]}, ${count} modes`),
              `${METHOD_NAMES[cell.method]}, ${right(100 * cell.quality.signAccuracy)}% right in the whole box`,
            ),
          ]
        : [],
    )
    const truth = renderFigure(drawExactSlice(exact.slice, `exact, ${count} modes`), 'exact')
    return [`<h3>${count} modes</h3><div class="row">${truth}${learned.join('')}</div>`]
  })
  const text = `<p>The first two modes of the ${SLICED}, all others zero. Red: touching. Of learned fields the zero level is the thick line, other lines are 0.1 apart, and the dashed line is the exact boundary.</p>`
  return { title: 'Slices of the space of codes (Fig. 7)', body: text + (rows.join('') || missing('a bracelet')) }
}

export function gridSection(cells: readonly GridResult[]): PageSection {
  const modes = [...new Set([...GRID.modes, ...cells.map((cell) => cell.modes)])].sort((a, b) => a - b)
  const colours = new Map(modes.map((count, i) => [`${count} modes`, MODE_COLOURS[i % MODE_COLOURS.length]]))
  const bodies = [...new Set<string>([...GRID.bodies, ...cells.map(({ body }) => body)])]
  const shares = cells.map(({ signAccuracy }) => 100 * signAccuracy)
  const range = [Math.floor(Math.min(...shares)), 100] as const
  const rows = bodies.flatMap((body) => {
    const charts = GRID.layers.flatMap((layers) => {
      const own = cells.filter((cell) => cell.body === body && cell.layers === layers)
      if (own.length === 0) return []
      const points = own
        .map(
          ({ width, signAccuracy, modes }): CurvePoint => ({
            x: width,
            y: 100 * signAccuracy,
            curve: `${modes} modes`,
          }),
        )
        .sort((a, b) => a.x - b.x)
      const label = `${body}, ${layers} hidden ${layers === 1 ? 'layer' : 'layers'}`
      const options = { x: 'width', y: 'right signs [%]', label, colours, width: 366, height: 290, range }
      return [renderFigure(drawCurves(points, options), label)]
    })
    return charts.length > 0 ? [`<div class="row">${charts.join('')}</div>`] : []
  })
  const settings = [
    ...new Set(cells.map(({ iterations, codes }) => `${iterations} iterations, ${codes.toLocaleString('en')} codes`)),
  ]
  const text = `<p>The paper's first pass alone, which fits the boundary and no distances, with its numbers but for the size of the network and for how long it learns: ${settings.join('; ') || 'none trained'}, where the paper takes 500 iterations. One seed each, but where that was stuck, calling nearly all codes the same: the best of up to four then, as in the paper.</p>`
  const charts = rows.length > 0 ? drawLegend(colours) + rows.join('') : missing('a grid')
  return { title: 'How large a network must be (Fig. 5)', body: text + charts }
}
const MODE_COLOURS = ['#440154', '#3b528b', '#21918c', '#5ec962', '#e0b000', '#cf6a10', '#b03060', '#888888', '#333333']

function missing(what: string): string {
  return `<p>Not trained yet: ${what}.</p>`
}
