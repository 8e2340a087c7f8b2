/**
 * Table 1 and Figs. 5 to 7 of Cai et al., theirs beside ours, what they leave out, and accuracy against exact tests.
 * Drawn from the cells that are committed; those that are asked for are trained before, as is a picture of the user's.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressWithin } from 'pliant/unstable'
import { renderPage, runLine } from '../../../pages/page.js'
import { right } from '../../../report/seed-figure.js'
import type { ReproduceOptions, RunOptions } from '../../../suite/suite.js'
import { type Cell, METHODS, nameOfCell, parseCells, tableCells } from '../cells/cell-name.js'
import { CELLS_FOLDER, type GridResult, type ImageResult, type NetworkResult, readCells } from '../cells/cell-result.js'
import { runCells } from '../cells/run-cells.js'
import type { BinaryImage } from '../images/binary-image.js'
import { imageSection, missingImages, type OwnImage } from '../images/image-section.js'
import { exactField, imageSettings, learnImage } from '../images/learn-image.js'
import { PAPER_TABLE_1, type PrintedRow } from '../paper.js'
import { METHOD_NAMES } from '../words.js'
import { gridSection, hybridSection, leftOutSection, sliceSection, tableSection } from './sections.js'

export interface CspacePageGiven {
  /** To train before the page is drawn. */
  cells?: readonly Cell[]
  /** Also those that have a result. */
  again?: boolean
  threads?: number
  /** To learn by both methods for this page, and to keep nowhere. */
  image?: BinaryImage
  /** Where results are read from and written to, and where trained files go. */
  results?: string
  work?: string
}

export interface CspacePageResult {
  /** What the paper prints of its own bodies. */
  printed: readonly PrintedRow[]
  cells: NetworkResult[]
  grid: GridResult[]
  images: ImageResult[]
  /** The user's picture. */
  own?: OwnImage
  /** Names of the cells that were trained now, and of those of Table 1 and of Fig. 6 that nobody has trained. */
  trained: string[]
  missing: string[]
  missingImages: string[]
}

/** What `quick` trains unless cells or an image are named: each kind once. */
const QUICK_CELLS = 'bracelet-3,grid-snake-3-1x10,image-pear-paper,image-pear-ours'
const WORK_FOLDER = join('out', 'cspace')

/** @param learn  what learns a picture; replaced in tests */
export async function reproduceCspace(
  options: ReproduceOptions & CspacePageGiven,
  learn = learnImage,
): Promise<{ result: CspacePageResult; html: string; notes: string[] }> {
  const { quick = false, image, cells = quick && !image ? parseCells(QUICK_CELLS) : [] } = options
  // Nothing of a first look is a result.
  const passing = quick && cells.length > 0 ? await passingFolder() : undefined
  const { results = CELLS_FOLDER, work = WORK_FOLDER } = passing ? foldersIn(passing) : options
  const warnings: string[] = []
  const onWarning = (line: string): number => warnings.push(`warning: ${line}`)
  try {
    const { again, threads, signal, onProgress } = options
    const share = image ? cells.length / (cells.length + METHODS.length) : 1
    const trained = await runCells(cells, {
      ...{ results, work, quick, again, threads, signal, onWarning },
      onProgress: progressWithin(onProgress, 0, share),
    })
    const own =
      image && (await learnOwn(image, learn, { quick, signal, onProgress: progressWithin(onProgress, share, 1) }))
    const result = { ...(await readResult(results)), own, trained }
    return { result, html: cspacePage(result, options), notes: [...warnings, ...notesOf(result, cells.length)] }
  } finally {
    if (passing) await rm(passing, { recursive: true, force: true })
  }
}

function passingFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'pliant-cspace-'))
}

function foldersIn(folder: string): { results: string; work: string } {
  return { results: join(folder, 'cells'), work: join(folder, 'work') }
}

async function learnOwn(
  image: BinaryImage,
  learn: typeof learnImage,
  { quick = false, signal, onProgress }: RunOptions,
): Promise<OwnImage> {
  const rows: OwnImage['rows'] = []
  for (const [i, method] of METHODS.entries()) {
    const within = progressWithin(onProgress, i / METHODS.length, (i + 1) / METHODS.length)
    const learned = await learn(image, imageSettings(method, quick), {
      ...{ quick, signal },
      onProgress: ({ fraction, stage, detail = '' }) =>
        within({ fraction, stage: `${image.name}, ${METHOD_NAMES[method]}`, detail: `${stage}: ${detail}` }),
    })
    rows.push({ ...learned, method })
  }
  return { name: image.name, quick, exact: exactField(image), rows }
}

async function readResult(folder: string): Promise<Omit<CspacePageResult, 'trained' | 'own'>> {
  const all = await readCells(folder)
  const there = new Set(all.map(nameOfCell))
  const images = all.filter((cell) => cell.kind === 'image')
  return {
    printed: PAPER_TABLE_1,
    cells: all.filter((cell) => cell.kind === 'network'),
    grid: all.filter((cell) => cell.kind === 'grid'),
    images,
    missingImages: missingImages(images),
    missing: tableCells()
      .map(nameOfCell)
      .filter((name) => !there.has(name)),
  }
}

function notesOf(result: CspacePageResult, asked: number): string[] {
  const { cells, grid, images, own, trained } = result
  const missing = [...result.missing, ...result.missingImages]
  const skipped = asked - trained.length
  const told = own?.rows.map(({ method, signAccuracy }, i) => {
    const share = `${right(100 * signAccuracy)}%`
    return `${METHOD_NAMES[method]} ${share}${i === 0 ? ' of signs right' : ''}`
  })
  return [
    ...(own && told ? [`learned ${own.name}: ${told.join(', ')}`] : []),
    ...(trained.length > 0 ? [`trained ${trained.join(', ')}`] : []),
    ...(skipped > 0 ? [`${skipped} of ${asked} cells have their result already; --again trains them anew`] : []),
    `drawn from ${cells.length} cells of Table 1, ${grid.length} of Fig. 5 and ${images.length} of Fig. 6`,
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}; --cells trains them`] : []),
  ]
}

export function cspacePage({ cells, grid, images, own, missing }: CspacePageResult, options: ReproduceOptions): string {
  const incomplete =
    missing.length > 0
      ? ` Not trained yet: ${missing.join(', ')} (<code>pliant reproduce cspace --cells all</code>).`
      : ''
  return renderPage({
    title: 'Self-contact as a distance in the space of codes',
    lead: `Cai, Coevoet, Jacobson, Kry: <i>Active learning neural C-space signed distance fields for reduced deformable self-collision</i>, Table 1 and Figs. 5 to 7, with its method and ours trained on the same bodies and images and evaluated on the same codes. Every figure but those of the paper comes from one trained network, whose file is in <code>bench/cells/cspace</code>.${incomplete}`,
    sections: [
      tableSection(cells),
      leftOutSection(cells),
      hybridSection(cells),
      gridSection(grid),
      imageSection(images, own),
      sliceSection(cells),
    ],
    footer: runLine(options),
  })
}
