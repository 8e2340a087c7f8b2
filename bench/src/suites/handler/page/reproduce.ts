/**
 * Table 2 and Figs. 4 to 7 of Tan et al., theirs beside ours, and what they leave out. Drawn from the cells that are committed;
 * those that are asked for are trained before.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CellKind, runCellsOf } from '../../../cells/run-cells.js'
import { renderPage, runLine } from '../../../pages/page.js'
import type { ReproduceOptions } from '../../../suite/suite.js'
import { type HandlerCell, nameOfCell, parseCells, tableCells } from '../cells/cell-name.js'
import { CELLS_FOLDER, type HandlerResult, readCells, WORK_FOLDER } from '../cells/cell-result.js'
import { openSubject } from '../cells/subjects.js'
import { type JudgedOn, trainHandlerCell } from '../cells/train-cell.js'
import { PAPER_TABLE_2, type PrintedSet } from '../paper.js'
import { handlingSection, hybridSection, labelsSection, reductionSection, tableSection } from './sections.js'

export interface HandlerPageGiven extends JudgedOn {
  /** To train before the page is drawn. */
  cells?: readonly HandlerCell[]
  /** Also those that have a result. */
  again?: boolean
  threads?: number
  /** The trained character that wears the skirt. */
  humanoid?: string
  /** Where results are read from and written to, and where trained files go. */
  results?: string
  work?: string
}

export interface HandlerPageResult {
  /** What the paper prints of its own data. */
  printed: readonly PrintedSet[]
  cells: HandlerResult[]
  /** Names of the cells that were trained now, and of those of Table 2 that nobody has trained. */
  trained: string[]
  missing: string[]
}

const QUICK_CELLS = 'hand-joints-supv-bd,hand-joints-ours'

/** @param train  what trains a cell; replaced in tests */
export async function reproduceHandler(
  options: ReproduceOptions & HandlerPageGiven,
  train?: CellKind<HandlerCell, HandlerResult>['train'],
): Promise<{ result: HandlerPageResult; html: string; notes: string[] }> {
  const { quick = false, cells = quick ? parseCells(QUICK_CELLS) : [], codes, repairs, humanoid } = options
  // Nothing of a first look is a result.
  const passing = quick && cells.length > 0 ? await mkdtemp(join(tmpdir(), 'pliant-handler-')) : undefined
  const { results = CELLS_FOLDER, work = WORK_FOLDER } = passing
    ? { results: join(passing, 'cells'), work: join(passing, 'work') }
    : options
  const warnings: string[] = []
  const judged = { ...(codes !== undefined && { codes }), ...(repairs !== undefined && { repairs }) }
  const kind: CellKind<HandlerCell, HandlerResult> = {
    nameOf: nameOfCell,
    train:
      train ?? ((cell, run) => trainHandlerCell(cell, run, judged, (one, told) => openSubject(one, told, humanoid))),
  }
  try {
    const { again, threads, signal, onProgress } = options
    const onWarning = (line: string): number => warnings.push(`warning: ${line}`)
    const trained = await runCellsOf(kind, cells, {
      ...{ results, work, quick, again, threads, signal, onWarning, onProgress },
    })
    const all = await readCells(results)
    const there = new Set(all.map(nameOfCell))
    const missing = tableCells()
      .map(nameOfCell)
      .filter((name) => !there.has(name))
    const result = { printed: PAPER_TABLE_2, cells: all, trained, missing }
    return { result, html: handlerPage(result, options), notes: [...warnings, ...notesOf(result, cells.length)] }
  } finally {
    if (passing) await rm(passing, { recursive: true, force: true })
  }
}

function notesOf({ cells, trained, missing }: HandlerPageResult, asked: number): string[] {
  const skipped = asked - trained.length
  return [
    ...(trained.length > 0 ? [`trained ${trained.join(', ')}`] : []),
    ...(skipped > 0 ? [`${skipped} of ${asked} cells have their result already; --again trains them anew`] : []),
    `drawn from ${cells.length} cells of Table 2`,
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}; --cells trains them`] : []),
  ]
}

export function handlerPage({ cells, missing }: HandlerPageResult, options: ReproduceOptions): string {
  const incomplete =
    missing.length > 0
      ? ` Not trained yet: ${missing.join(', ')} (<code>pliant reproduce handler --cells ${missing.length === tableCells().length ? 'all' : missing.join(',')}</code>).`
      : ''
  return renderPage({
    title: 'Shapes that run into themselves: detected and handled',
    lead: `Tan, Pan, Smith, Shiratori, Manocha: <i>Active learning of neural collision handler for complex 3D mesh deformations</i>, Table 2 and Figs. 4 to 7, with its three methods and ours trained on the same shapes from equally many exact labels, and judged on the same codes. Every figure but those of the paper comes from one trained network, whose file is in <code>bench/cells/handler</code>.${incomplete}`,
    sections: [
      tableSection(cells),
      handlingSection(cells),
      hybridSection(cells),
      labelsSection(cells),
      reductionSection(cells),
    ],
    footer: runLine(options),
  })
}
