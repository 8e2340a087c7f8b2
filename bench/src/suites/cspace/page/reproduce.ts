/**
 * Table 1 and Figs. 5 and 7 of Cai et al., theirs beside ours, what they leave out, and accuracy against exact tests.
 * Drawn from the cells that are committed; those that are asked for are trained before.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderPage, runLine } from '../../../pages/page.js'
import type { ReproduceOptions } from '../../../suite/suite.js'
import { type Cell, nameOfCell, parseCells, tableCells } from '../cells/cell-name.js'
import { CELLS_FOLDER, type GridResult, type NetworkResult, readCells } from '../cells/cell-result.js'
import { runCells } from '../cells/run-cells.js'
import { PAPER_TABLE_1, type PrintedRow } from '../paper.js'
import { gridSection, hybridSection, leftOutSection, sliceSection, tableSection } from './sections.js'

export interface CspacePageGiven {
  /** To train before the page is drawn. */
  cells?: readonly Cell[]
  /** Also those that have a result. */
  again?: boolean
  threads?: number
  /** Where results are read from and written to, and where trained files go. */
  results?: string
  work?: string
}

export interface CspacePageResult {
  /** What the paper prints of its own bodies. */
  printed: readonly PrintedRow[]
  cells: NetworkResult[]
  grid: GridResult[]
  /** Names of the cells that were trained now, and of those of Table 1 that nobody has trained. */
  trained: string[]
  missing: string[]
}

/** What `quick` trains unless cells are named: each kind once. */
const QUICK_CELLS = 'bracelet-3,grid-snake-3-1x10'
const WORK_FOLDER = join('out', 'cspace')

export async function reproduceCspace(
  options: ReproduceOptions & CspacePageGiven,
): Promise<{ result: CspacePageResult; html: string; notes: string[] }> {
  const { quick, cells = quick ? parseCells(QUICK_CELLS) : [] } = options
  const { results = CELLS_FOLDER, work = WORK_FOLDER } = quick ? await passingFolders() : options
  const warnings: string[] = []
  try {
    const { again, threads, signal, onProgress } = options
    const trained = await runCells(cells, {
      ...{ results, work, quick, again, threads, signal, onProgress },
      onWarning: (line) => warnings.push(`warning: ${line}`),
    })
    const result = { ...(await readResult(results)), trained }
    return { result, html: cspacePage(result, options), notes: [...warnings, ...notesOf(result, cells.length)] }
  } finally {
    // Nothing of a first look is a result.
    if (quick) await rm(join(results, '..'), { recursive: true, force: true })
  }
}

async function passingFolders(): Promise<{ results: string; work: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'pliant-cspace-'))
  return { results: join(folder, 'cells'), work: join(folder, 'work') }
}

async function readResult(folder: string): Promise<Omit<CspacePageResult, 'trained'>> {
  const all = await readCells(folder)
  const there = new Set(all.map(nameOfCell))
  return {
    printed: PAPER_TABLE_1,
    cells: all.filter((cell) => cell.kind === 'network'),
    grid: all.filter((cell) => cell.kind === 'grid'),
    missing: tableCells()
      .map(nameOfCell)
      .filter((name) => !there.has(name)),
  }
}

function notesOf({ cells, grid, trained, missing }: CspacePageResult, asked: number): string[] {
  const skipped = asked - trained.length
  return [
    ...(trained.length > 0 ? [`trained ${trained.join(', ')}`] : []),
    ...(skipped > 0 ? [`${skipped} of ${asked} cells have their result already; --again trains them anew`] : []),
    `drawn from ${cells.length} cells of Table 1 and ${grid.length} of Fig. 5`,
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}; --cells trains them`] : []),
  ]
}

export function cspacePage({ cells, grid, missing }: CspacePageResult, options: ReproduceOptions): string {
  const incomplete =
    missing.length > 0
      ? ` Not trained yet: ${missing.join(', ')} (<code>pliant reproduce cspace --cells all</code>).`
      : ''
  return renderPage({
    title: 'Self-contact as a distance in the space of codes',
    lead: `Cai, Coevoet, Jacobson, Kry: <i>Active learning neural C-space signed distance fields for reduced deformable self-collision</i>, Table 1 and Figs. 5 and 7, with its method and ours trained on the same bodies and evaluated on the same codes. Every figure but those of the paper comes from one trained network, whose file is in <code>bench/cells/cspace</code>.${incomplete}`,
    sections: [
      tableSection(cells),
      leftOutSection(cells),
      hybridSection(cells),
      gridSection(grid),
      // Fig. 6, images in two dimensions, goes here.
      sliceSection(cells),
    ],
    footer: runLine(options),
  })
}
