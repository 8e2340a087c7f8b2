/** Binary images on the page of a reproduction: exact field, the paper's method and ours side by side (Fig. 6), and figures. */
import { count, escapeHtml, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import { right } from '../../../report/seed-figure.js'
import { type CellMethod, IMAGES, imageCells, nameOfCell } from '../cells/cell-name.js'
import type { ImageResult } from '../cells/cell-result.js'
import { METHOD_NAMES } from '../words.js'
import { drawnImage } from './drawn-images.js'
import { drawField, ISOLINES } from './field-picture.js'
import { figuresOf, IMAGE_FIGURES, inOrder, networkOf } from './image-figures.js'
import { exactField, type LearnedImage } from './learn-image.js'

export type ImageRow = LearnedImage & { method: CellMethod }

/** A picture of the user's, learned for this page alone. */
export interface OwnImage {
  name: string
  /** Whether it is a first look, with few labels and steps. */
  quick: boolean
  exact: number[][]
  rows: ImageRow[]
}

export function imageSection(cells: readonly ImageResult[], own?: OwnImage): PageSection {
  const drawn = IMAGES.flatMap((name) => {
    const rows = inOrder(cells).filter(({ image }) => image === name)
    return rows.length > 0 ? [{ name, exact: exactField(drawnImage(name)), rows }] : []
  })
  const users = own ? [{ ...own, name: own.quick ? `${own.name} (a first look)` : own.name }] : []
  const images = [...users, ...drawn]
  const text = `<p>The space of codes is a square, what is drawn "touches". Both methods see signs of points alone, never a distance. Isolines ${ISOLINES} apart, red inside, blue outside, the outline in black; where a learned outline leaves the exact one, the exact one shows in orange. Networks differ: ours is larger and smooth. Rows of one network compare methods alone, the others methods with what they are run with. Settings of ours were chosen on the leaf, those of the paper's method are its own.</p>`
  const missing = missingImages(cells)
  const left =
    missing.length > 0
      ? `<p>Not learned yet: ${missing.join(', ')} (<code>pliant reproduce cspace --cells image</code>).</p>`
      : ''
  return {
    title: 'Signed distance of binary images (Fig. 6)',
    body: text + left + images.map(pictures).join('\n') + (images.length > 0 ? figures(images) : ''),
  }
}

/** Names of the cells of Fig. 6 that nobody has learned. */
export function missingImages(cells: readonly ImageResult[]): string[] {
  const there = new Set(cells.map(nameOfCell))
  return imageCells()
    .map(nameOfCell)
    .filter((name) => !there.has(name))
}

interface ShownImage {
  name: string
  exact: number[][]
  rows: readonly ImageRow[]
}

/** So that all of an image are beside each other on the page. */
const PICTURE_WIDTHS = { three: 340, more: 270 } as const

function pictures({ name, exact, rows }: ShownImage): string {
  const width = rows.length > 2 ? PICTURE_WIDTHS.more : PICTURE_WIDTHS.three
  const figure = (distances: number[][], what: string, caption: string, truth?: number[][]): string =>
    renderFigure(drawField({ distances, exact: truth, label: `${name}, ${what}`, width }), caption)
  const learned = rows.map((row) => {
    const what = `${METHOD_NAMES[row.method]}, ${networkOf(row)}`
    return figure(row.field, what, `${what}: ${percent(row.signAccuracy)} right, ${count(row.labels)} labels`, exact)
  })
  return `<h3>${escapeHtml(name)}</h3><div class="row">${figure(exact, 'exact', 'exact')}${learned.join('')}</div>`
}

function figures(images: readonly ShownImage[]): string {
  const rows = images.flatMap(({ name, rows }) =>
    rows.map((row) => [`${name}, ${METHOD_NAMES[row.method]}`, row] as const),
  )
  const points = [...new Set(rows.map(([, row]) => count(row.points)))].join(' or ')
  const text = `<p>${points} uniform points of the square that were never trained on, its side 2 long; within 0.05: of the outline; e_grad: mean of how far slopes are from one, σ_grad: their standard deviation; labels: signs that were asked for; one seed each.</p>`
  const cells = rows.map(([name, row]) => [name, ...figuresOf(row)])
  return text + renderTable(['image, method', ...IMAGE_FIGURES], cells)
}

function percent(share: number): string {
  return `${right(100 * share)}%`
}
