/** Figures of an image that was learned, as tables have them on the page and in documents. */
import { count } from '../../../pages/page.js'
import { right } from '../../../report/seed-figure.js'
import { IMAGES, METHODS } from '../cells/cell-name.js'
import type { ImageResult } from '../cells/cell-result.js'
import type { LearnedImage } from './learn-image.js'

/** Names of the columns. */
export const IMAGE_FIGURES = [
  ...['network', 'labels', 'steps', 'right signs [%]', 'right within 0.05 [%]'],
  ...['mean error of distance', 'largest', 'e_grad', 'σ_grad'],
] as const

/** By image; the paper's method first, and each method's own network before others. */
export function inOrder(cells: readonly ImageResult[]): ImageResult[] {
  const orderOf = ({ image, method, network }: ImageResult): number =>
    4 * IMAGES.indexOf(image) + 2 * METHODS.indexOf(method) + (network ? 1 : 0)
  return [...cells].sort((a, b) => orderOf(a) - orderOf(b))
}

export function figuresOf(row: LearnedImage): string[] {
  return [
    networkOf(row),
    ...[row.labels, row.steps].map(count),
    ...[row.signAccuracy, row.nearAccuracy].map((share) => right(100 * share)),
    ...[row.distanceError.mean, row.distanceError.max, row.gradientError, row.gradientSpread].map((value) =>
      value.toFixed(4),
    ),
  ]
}

/** Such as `2 x 70 ReLU`. */
export function networkOf({ hidden, activation }: LearnedImage): string {
  const widths = hidden.every((width) => width === hidden[0]) ? `${hidden.length} x ${hidden[0]}` : hidden.join(', ')
  return `${widths} ${ACTIVATION_NAMES[activation] ?? activation}`
}
const ACTIVATION_NAMES: Readonly<Record<string, string>> = { relu: 'ReLU', silu: 'SiLU' }
