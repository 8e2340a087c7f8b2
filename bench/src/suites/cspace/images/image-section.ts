/** Binary images for the page of a reproduction: exact field, the paper's method and ours side by side (Fig. 6), and figures. */
import { count, escapeHtml, type PageSection, renderFigure, renderTable } from '../../../pages/page.js'
import { drawField, ISOLINES } from './field-picture.js'
import type { ImageMethod, ImageResult, ImageRow } from './learn-images.js'

const METHOD: Record<ImageMethod, string> = { paper: "the paper's method", ours: 'Pliant' }

/** Three beside each other on the page. */
const PICTURE_WIDTH = 360

export function imageSection(images: readonly ImageResult[]): PageSection {
  const text = `<p>The space of codes is a square, what is drawn "touches". Both methods see signs of points alone, never a distance. Isolines ${ISOLINES} apart, red inside, blue outside, the outline in black; where a learned outline leaves the exact one, the exact one shows in orange.</p>`
  return {
    title: 'Signed distance of binary images (Fig. 6)',
    body: text + images.map(pictures).join('\n') + figures(images.flatMap(({ rows }) => rows)),
  }
}

function pictures({ name, exact, rows }: ImageResult): string {
  const figure = (distances: readonly number[], title: string, truth?: readonly number[]): string =>
    renderFigure(drawField({ distances, exact: truth, label: `${name}, ${title}`, width: PICTURE_WIDTH }), title)
  const learned = rows.map(({ method, field, labels, signAccuracy }) =>
    figure(field, `${METHOD[method]}: ${percent(signAccuracy)} of signs right, ${count(labels)} labels`, exact),
  )
  return `<h3>${escapeHtml(sentenceCase(name))}</h3><div class="row">${figure(exact, 'exact')}${learned.join('')}</div>`
}

function figures(rows: readonly ImageRow[]): string {
  const head = [
    'image, method',
    'labels',
    'right sign',
    'within 0.05 of the outline',
    'mean error of distance',
    'largest',
    'e_grad',
    'sigma_grad',
  ]
  const cells = rows.map((row) => [
    `${row.name}, ${METHOD[row.method]}`,
    count(row.labels),
    percent(row.signAccuracy),
    percent(row.nearAccuracy),
    ...[row.distanceError.mean, row.distanceError.max, row.gradientError, row.gradientSpread].map(threeDigits),
  ])
  const caption =
    'uniform points of the square that were never trained on; distances where the side of the square is 2; e_grad: mean of how far slopes are from one, sigma_grad: their standard deviation'
  return renderTable(head, cells, caption)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}

function threeDigits(value: number): string {
  return Number(value.toPrecision(3)).toString()
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
